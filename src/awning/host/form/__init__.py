"""A settings form made from a data schema, independent of HTTP and HTML.

filling     makes new data from the posted texts and the stored data, and collects the problems
arranging   adds, removes and moves the rows of a posted form
origins     from which stored row each posted row comes
view        the fields as a page shows them, in one language; shown has their shapes

Its fields are `awning.data_schema.fields`, which also the form of `awning dev` is made from.
"""
