"""Publishing in waves: to some instances first, then, if a gate holds, to more.

wave        which instances come in which wave
gate        when the next wave may begin
rollout     the loop over the waves of a run and their gates
run_state   the state of each run in the database: where it stopped, and whether somebody paused it
"""
