"""A page that exists only in the checker: a script is run on it without a browser, along every path that matters.

Values that a script cannot know beforehand (the payload, what a foreign function returns) are symbols. A condition on
a symbol is a choice, and a run is repeated with the other choice; a choice once made binds all that depends on the
same symbol. Events are fired as the service fires them: base event, then updates, timers and promises after the
callback has returned. What the emulator sees happen in Chromium, this sees happen on paper, on all paths.

    joined      both ways of a condition in one run, where only values differ after it
    choices     which way a condition on a symbol goes, and which ways are possible together
    values      what a variable can hold
    machine     one run: expressions, statements, functions over the tree
    natives     what the page and the language bring along
    early       elements that a head script asks for before there is a body
    delivery    subscriptions, deliveries, and what initContentHandler does
    explore     runs until every way is followed or the budget is spent
"""

from awning.check.page.explore import Explored, explore, parts

__all__ = ["Explored", "explore", "parts"]
