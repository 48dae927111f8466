"""A PHH text and a reply of Slumbot that tests spoil."""

GOOD = """variant = "NT"
antes = [0, 0]
blinds_or_straddles = [1, 2]
min_bet = 2
starting_stacks = [200, 200]
actions = ["d dh p1 AsKs", "d dh p2 QdQc", "p2 cbr 6", "p1 cc", "d db 2c3c4c", "p1 cc", "p2 cbr 8", "p1 f"]
players = ["Ann", "Bob"]
hand = 7
"""
REPLY = (  # as a client of Slumbot saw it
    '{"old_action":"b400c/kk/b200b400c/k","action":"b400c/kk/b200b400c/kk","client_pos":1,"hole_cards":["7c","2s"],'
    '"board":["Th","9c","4s","8c","9d"],"bot_hole_cards":["Qc","Tc"],"winnings":-800,"won_pot":-1600,'
    '"session_num_hands":2,"baseline_winnings":-750,"session_total":-1200,"session_baseline_total":-750}'
)
