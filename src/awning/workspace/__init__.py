"""Reads a workspace into frozen values, and creates new workspaces.

find_workspace    the root folder, from any folder inside it      root.py
read_workspace    the values, or all errors at once               reader.py
pseudo_workspace  the same workspace in a language for tests      messages.py
read_profile      one service to talk to, without the widgets     reader.py
scaffolding       creates a new workspace or one more widget      scaffolding.py
"""
