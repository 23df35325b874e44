"""Productions for numbers, booleans and conditions."""

INT = r"""
@text|length
@text|count
@mark|length
@texts|length
@nums|count
@rows|length
@dict|length
@row.a
@row['a']
@row.c.x
@row.get('a', @int)
@int + @int
@int - @int
@int * @small
@int // @pos
@int % @pos
@int // -@pos
@int ** 2
2 ** @small
-@int
+@int
@bool + @int
@num|int
@num|round|int
@num|round(0, 'floor')|int
@text|int
@text|int(@int)
@text|int(default=@int, base=16)
@any|int(7)
@text|wordcount
@text.count(@short)
@text.find(@short)
@text.find(@short, @small)
@text.rfind(@short)
('ab' ~ @text).index('b')
@texts.count(@text)
(@nums + [3]).index(3)
@int|abs
@int|default(@int)
@missing|default(@int)
@rows|sum(attribute='a')
@rows|sum('a', @int)
@rows|map(attribute='a')|sum
@rows|selectattr('on')|list|length
@texts|map('length')|sum
@texts|map('length')|max
@nums|select('odd')|list|length
range(@small)|sum
range(@small, @wide)|list|length
range(@wide, @small, -2)|length
@rows|map(attribute='a')|max
@rows|min(attribute='a')|attr('a')
@nums|map('int')|min
@int if @cond else @int
@int and @int
@int or @small
@pairs|length
(@rows|first).a
@any|string|length
"""

NUM = r"""
@int
@int
@num + @num
@num - @num
@num * @num
@num / @pos
@num // @pos
@num % @pos
@num / -@pos
-@num
(@num ** 2)|round(3)
(@pos ** -1)|round(3)
@num|round
@num|round(1)
@num|round(2)
@num|round(@small)
@num|round(-1)
@num|round(1, 'ceil')
@num|round(2, 'floor')
@num|round(method='ceil')
@num|round(precision=1, method='common')
@num|abs
@num|float
@int|float
@text|float
@text|float(@num)
@text|float(default=@num)
@nums|sum
@nums|sum(start=@num)
@nums|first
@nums|last
@nums|max
@nums|min
@nums[@small]
@row.p
@row['p'] * @row.a
@rows|sum(attribute='p')
@rows|sum(attribute='c.y')
@rows|map(attribute='p')|max
@num if @cond else @num
@num or @num
@missing|default(@num)
@dict3.one
@dict3['two']
@dict3.get('one', @num)
@dict3.get(@text, @num)
@dict3.values()|sum
"""

BOOL = r"""
@num == @num
@num != @num
@num < @num
@num <= @num
@num > @num
@num >= @int
@int < @num <= @int
@int < @int < @int != @int
@text == @text
@text != @text
@text < @text
@text >= @text
@short in @text
@text in @texts
@text not in @texts
@num in @nums
@text in @dict
@text not in @dict
@text in [@text, @text]
@int in range(@small)
@any == @any
@any != @any
@texts == @texts
@nums < @nums
@pairs == @pairs
@dict == @dict
not @cond
@bool and @bool
@bool or @cond
@any is defined
@any is undefined
@missing is defined
@row.k is defined
@dict.a is defined
@any is none
@null is none
@any is not none
@int is odd
@int is even
@num is odd
@any is string
@any is number
@int is integer
@num is integer
@text is float
@any is mapping
@any is sequence
@any is iterable
@text is lower
@text is upper
@any is lower
@any is true
@any is false
@any is boolean
@int is divisibleby(@pos)
@int is divisibleby @pos
@num is eq @num
@any is eq(@any)
@text is equalto @text
@num is ne @num
@num is lt @num
@num is lessthan(@num)
@num is le @num
@num is gt @num
@num is greaterthan @num
@num is ge @num
@num is @cmp @num
@text is in @texts
@num is in(@nums)
@any is callable
@mark is escaped
@text is escaped
@any is escaped
@bool is sameas true
@any is sameas none
@null is sameas(@null)
'upper' is filter
'nope' is filter
'odd' is test
'nope' is test
@text.startswith(@short)
@text.startswith((@short, @short))
@text.endswith(@short)
@text.startswith(@short, @small)
@text.isdigit()
@text.isalpha()
@text.isalnum()
@text.isspace()
@text.isnumeric()
@text.islower()
@text.isupper()
@row.on
@bool if @cond else @bool
@rows|map(attribute='on')|first
"""

COND = r"""
@bool
@bool
@any
@text
@nums
@dict
@int
@rows|selectattr('on')|list
@row.k
@missing
"""
