"""The store of the simulated shop: products, prices, stock, currencies, shipping, codes, carts and texts, as files.

shop/           the shipped store
shapes.py       every key of the files
store_files.py  reads the files of a folder, and merges them into the shipped store
store.py        the store in one currency
records.py      the products, carts, currencies and languages of a store
"""
