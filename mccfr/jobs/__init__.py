"""Jobs: independent pieces of work, the pools that do them, and the statistics of what they come to."""
