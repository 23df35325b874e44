"""A widget in a frame of a kept tab: a widget test."""
