"""From cards to rows of tables: percentiles, clusters, hand-made classes. Built once, checksummed."""
