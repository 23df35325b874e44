"""Publishing in waves: some instances first, a gate, then more.

wave        which instances come in which wave
gate        when the next wave may begin
rollout     the waves and gates of a run; the loop over them
run_state   the state of each run in the database: where it stopped, and whether somebody paused it
"""
