"""What a state makes a page do: its events with their payloads, and what other hosts answer.

state_events.py  payloads.py   the events, and their parameters
host_responses.py              the responses of other hosts
"""
