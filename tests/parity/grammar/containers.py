"""Productions for lists, mappings and rows, and for values of any type."""

NUMS = r"""
[@num, @num]
[@int, @int, @num]
[@num] * @small
@nums + @nums
@nums + [@num]
@nums[@small:]
@nums[::-1]
@nums[:@pos]
@nums|sort
@nums|sort(reverse=@bool)
@nums|reverse|list
@nums|unique|list
@nums|list
@nums|map('abs')|list
@nums|map('round')|list
@nums|map('round', 1, 'floor')|list
@nums|map('int')|list
@nums|map('float')|list
@nums|select('odd')|list
@nums|reject('even')|list
@nums|select('gt', @num)|list
@nums|select('divisibleby', @pos)|list
@nums|reject('lessthan', @num)|list
@nums|select('integer')|list
@nums|select('float')|list
@nums|select|list
@nums|reject|list
@nums|select('in', @nums)|list
@texts|map('length')|list
@texts|map('int')|list
@texts|map('float', 1)|list
@texts|map('wordcount')|list
@rows|map(attribute='a')|list
@rows|map(attribute='p')|sort
@rows|map(attribute='c.x', default=0)|list
range(@small)|list
range(@small, @wide)|list
range(@wide, @small, -1)|list
range(@small)[@small:]|list
@dict3.values()|list
@dict3|dictsort|map('last')|list
@nums|batch(@pos)|map('sum')|list
@nums.copy()
@nums if @cond else @nums
@nums or [@num]
"""

TEXTS = r"""
[@text, @text]
[@text]
@texts + @texts
@texts + [@text]
@texts[@small:]
@texts[::-1]
@texts|sort
@texts|sort(case_sensitive=true)
@texts|sort(true)
@texts|reverse|list
@texts|unique|list
@texts|unique(true)|list
@texts|list
@texts|select|list
@texts|reject|list
@texts|reject('equalto', @text)|list
@texts|select('in', @texts)|list
@texts|select('upper')|list
@texts|select('lower')|list
@texts|reject('undefined')|list
@texts|map('upper')|list
@texts|map('lower')|unique|list
@texts|map('capitalize')|list
@texts|map('title')|sort
@texts|map('trim')|list
@texts|map('default', @text)|list
@texts|map('first')|select('defined')|list
@nums|map('string')|list
@text|list
@text.split()
@text.split(@short)
@text.rsplit(@short, 1)
@text.splitlines()
@text.partition(@short)|list
@dict|list
@dict|sort
@dict.keys()|list
@dict|items|map('first')|list
@dict|dictsort|map('first')|list
@rows|map(attribute='b')|list
@rows|map(attribute='b')|map('upper')|list
@rows|map(attribute='k', default='none')|map('string')|list
@rows|selectattr('b')|map(attribute='b')|list
@rows|groupby('b')|map('first')|list
@row.tags
@row.tags or [@text]
@texts if @cond
@texts if @cond else @texts
(@texts|batch(@pos)|list + [[]])|first
"""

ROWS = r"""
@rows|sort(attribute='a')
@rows|sort(attribute='b')
@rows|sort(attribute='b', case_sensitive=@bool)
@rows|sort(attribute='b,a', reverse=@bool)
@rows|sort(attribute='c.x')
@rows|reverse|list
@rows|list
@rows|selectattr('on')|list
@rows|rejectattr('on')|list
@rows|selectattr('a', 'gt', @int)|list
@rows|selectattr('a', 'odd')|list
@rows|rejectattr('a', 'in', @nums)|list
@rows|selectattr('b', 'equalto', @text)|list
@rows|selectattr('k', 'defined')|list
@rows|rejectattr('k', 'undefined')|list
@rows|rejectattr('k')|list
@rows|selectattr('c.x', 'ge', @int)|list
@rows|selectattr('b', 'in', @texts)|list
@rows|selectattr('k', 'none')|list
@rows|unique(attribute='b')|list
@rows|unique(attribute='a')|list
@rows + @rows
@rows[@small:]
@rows[::-1]
@rows[:@pos]
@rows|groupby('a')|map('last')|first
[@row]
[@row, @row]
@rows or [@row]
"""

ROW = r"""
@rows|first
@rows|last
@rows[@small]
@rows[-1]
@rows|min(attribute='a')
@rows|max(attribute='p')
@rows|max(attribute='b', case_sensitive=@bool)
@rows|sort(attribute='a')|last
@rows|selectattr('on')|first
@row if @cond
@row if @cond else @row
{'a': @int, 'b': @text, 'p': @num, 'on': @bool, 'tags': @texts, 'c': {'x': @int, 'y': @num}}
dict(a=@int, b=@text, p=@num, on=@bool, tags=@texts, c={'x': @int, 'y': @num})
"""

PAIRS = r"""
[['a', @num], ['b', @num]]
[(@text, @num)]
[[@text, @any], [@text, @any]]
@dict3|items|list
@dict.items()|list
@dict3.items()|list
@dict3|dictsort
@dict3|dictsort(true)
@dict3|dictsort(false, 'value')
@dict3|dictsort(by='value', reverse=@bool)
@rows|groupby('a')
@rows|groupby('b')
@rows|groupby(attribute='k', default=@text)
@rows|groupby('c.x')
@pairs + @pairs
@pairs[@small:]
@pairs|reverse|list
"""

DICT = r"""
{'a': @any, 'b': @any}
{'a': @text, '2': @num, '10': @any, 'x y': @null}
{@text: @any}
{@text: @num, @text: @text}
{@int: @text, 'k': @any}
{}
dict(a=@any, b=@text)
dict(@dict, z=@any)
dict(@pairs)
@dict.copy()
@dict3
@row.c
@dict if @cond
@dict if @cond else @dict
@dict or {'a': @any}
{'items': @any, 'keys': @any, 'length': @any}
{'__proto__': @any, 'constructor': @text}
"""

SCALAR = r"""
@text
@text
@mark
@int
@num
@num
@bool
@null
@missing
@row.k
@row['k']
@row.nope.deep
@dict3.one
@dict3['one']
@dict3.get(@text, @scalar)
@scalar if @cond
@scalar if @cond else @scalar
@scalar and @scalar
@scalar or @scalar
@scalar|default(@scalar)
@scalar|default(@scalar, true)
@missing|default(@scalar)
@texts[@int]
@text[@int]
@nums[@num]
@nums|first
@texts|last
range(@small, @wide, @pos)[@small]
dict(a=@scalar).a
namespace(a=@scalar).a
cycler(@scalar, @text).next()
cycler(@scalar, @text).current
joiner(@text)()
(@scalar,)[0]
[@scalar, @scalar][@int % 2]
@scalar|e
@missing.foo.bar
@missing|length
"""

ANY = r"""
@text
@text
@text
@mark
@int
@num
@num
@bool
@null
@nums
@texts
@dict
@row
@pairs
@missing
(@any, @any)
[@any, @text]
[@any]
{'p': @any}
@dict.a
@dict.b
@dict[@text]
@dict['1']
@dict['__proto__']
@dict['constructor']
@dict.get(@text)
@dict.get('a', @any)
@dict|first
@dict|attr('a')
@row.k
@row['k']
@row.nope.deep
@row.c
@any if @cond
@any if @cond else @any
@any and @any
@any or @any
@any|default(@any)
@missing|default(@any)
@any|default(@any, true)
@any|list
@pairs|first
@pairs|last|last
@texts[@int]
@text[@int]
@nums[@num]
@rows|map(attribute='k')|list
@rows|map(attribute='c')|list
@nums|batch(@pos)|list
@nums|batch(@pos, @any)|list
@texts|slice(@pos)|list
@nums|slice(@pos, @any)|list
@any|e
@dict.values()|list
@dict.items()
@dict.keys()
range(@small)
range(@small, @wide, @pos)[@small]
dict(a=@any).a
namespace(a=@any).a
cycler(@any, @text).next()
cycler(@any, @text).current
joiner(@text)()
(@any,)[0]
[@any, @any][@int % 2]
@rows|map(attribute='tags')|sum(start=[])
@missing.foo.bar
@missing|list
@missing|length
"""
