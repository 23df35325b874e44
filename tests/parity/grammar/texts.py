"""Productions for texts and Markup. `@kind` is a slot for an expression of that kind; see maker.py."""

TEXT = r"""
@text|upper
@text|lower
@text|title
@text|capitalize
@text|trim
@text|trim(@short)
@text|string
@scalar|string
@text|reverse
@text|replace(@short, @text)
@text|replace(@short, @text, @small)
@text|replace(old=@short, new=@text)
@text|truncate(@wide)
@text|truncate(@wide, @bool, @mark1)
@text|truncate(length=@wide, killwords=@bool, end='…', leeway=@small)
@text|truncate(@wide, true, '')
@text|center(@wide)
@text|center
@text|indent(@small)
@text|indent(@small, @bool, @bool)
@text|indent(width='> ', first=true)
@text|striptags
@mark|striptags
@text|urlencode
@num|urlencode
@dict3|urlencode
{'a': @scalar, 'x y': @scalar}|urlencode
@text|wordwrap(@wide)
@text|wordwrap(@wide, @bool)
@text|wordwrap(@wide, wrapstring='|')
@text|wordwrap(@wide, break_on_hyphens=@bool)
@text|default(@text)
@missing|default(@text)
@text|default(@text, true)
@missing|d(@text)
@null|default(@text, true)
@scalar|default(@text, boolean=@bool)
@texts|join
@texts|join(@sep)
@nums|join(@sep)
@scalar|string|list|join(@sep)
@dict|join(@sep)
@rows|join(@sep, attribute='b')
@rows|join(@sep, 'a')
@rows|map(attribute='b')|join(@sep)
@rows|map(attribute='c.x', default=@num)|join(@sep)
@rows|map(attribute='k', default='-')|join(@sep)
@dict3|items|map('first')|join(@sep)
@dict3|items|map('join', ':')|join(@sep)
@dict3|dictsort|map(attribute=0)|join(@sep)
@texts|map('replace', @short, @text)|join(@sep)
@texts|map('upper')|join(@sep)
@texts|map('truncate', @wide, true)|join(@sep)
@texts|map('default', 'x', true)|join(@sep)
@nums|map('string')|join(@sep)
@nums|map('round', 1)|join(@sep)
@nums|map('filesizeformat')|join(@sep)
@texts|batch(@pos)|map('join', ',')|join(@sep)
@nums|batch(@pos, '-')|map('join', ',')|join(@sep)
@nums|slice(@pos)|map('join', ',')|join(@sep)
@texts|slice(@pos, @text)|map('join', ',')|join(@sep)
@texts|select|join(@sep)
@texts|reject('in', @texts)|join(@sep)
@texts|select('string')|join(@sep)
@texts|reject('equalto', @text)|join(@sep)
@texts|unique|join(@sep)
@texts|unique(case_sensitive=@bool)|join(@sep)
@texts|first
@texts|last
@texts|min
@texts|max
@texts|max(case_sensitive=@bool)
@text|first
@text|last
@text|list|join(@sep)
@rows|map(attribute='tags')|map('join', '+')|join(@sep)
@rows|groupby('b')|map('first')|join(@sep)
@rows|groupby('a')|map(attribute='grouper')|join(@sep)
@rows|groupby('k', default='?')|map(attribute='list')|map('length')|join(@sep)
@rows|groupby('b', case_sensitive=@bool)|map(attribute='grouper')|join(@sep)
'%s-%s'|format(@scalar, @text)
'%s|%5s|%-5s|'|format(@text, @text, @int)
'%(a)s/%(b)s'|format(a=@text, b=@num)
'%.2f'|format(@num)
'%d %05d %x %o'|format(@int, @int, @nat, @nat)
'%+d% d'|format(@int, @int)
'%8.3f|%-8.1f|'|format(@num, @num)
'%e %g %G'|format(@num, @num, @num)
'%.3s %r %%'|format(@text, @text)
'%c'|format(@wide)
'%s' % @text
'%s and %s' % (@scalar, @text)
'%(a)s %(b).1f' % {'a': @scalar, 'b': @num}
'%.2f' % @num
'%s' % @num
'%06.1f' % @num
'{}'.format(@text)
'{}'.format(@num)
'{} {}'.format(@text, @num)
'{0}{1}{0}'.format(@text, @int)
'{a}-{b}'.format(a=@text, b=@num)
'{:.2f}'.format(@num)
'{:,.2f}'.format(@num)
'{:,}'.format(@int)
'{:>9}|{:<9}|{:^9}'.format(@text, @num, @text)
'{:*^7}|'.format(@text)
'{:+.1f}'.format(@num)
'{:e}'.format(@num)
'{:g}'.format(@num)
'{:010.3f}'.format(@num)
'{:05d}'.format(@int)
'{:x} {:#x} {:b} {:o}'.format(@nat, @nat, @nat, @nat)
'{:.3}'.format(@text)
'{:%}'.format(@num)
'{!r}'.format(@text)
'{[a]}'.format(@dict2)
'{0[0]}'.format(@texts2)
'{{}}{}'.format(@any1)
@text ~ @scalar
@text ~ @text
@text ~ @num ~ @text
@scalar ~ @scalar
@text + @text
@text * @small
@small * @text
@text if @cond else @text
@text if @cond
@text or @text
@text and @text
@null or @text
@text[@small]
@text[-@pos]
@text[@small:]
@text[:@small]
@text[-@pos:]
@text[:-@pos]
@text[::-1]
@text[::2]
@text[@small:@wide]
@text[@small:@wide:@pos]
@row.b
@row['b']
@row.tags|join(@sep)
@row.get('b')
@row.get('b', @text)
@dict|dictsort|map('first')|join(@sep)
@dict3|items|map('last')|join(@sep)
@dict.keys()|join(@sep)
@dict3.values()|join(@sep)
@num|filesizeformat
@num|filesizeformat(@bool)
@num|string
@num|round(@small)|string
@text.upper()
@text.lower()
@text.title()
@text.capitalize()
@text.casefold()
@text.swapcase()
@text.strip()
@text.strip(@short)
@text.lstrip()
@text.lstrip(@short)
@text.rstrip()
@text.rstrip(@short)
@text.replace(@short, @text)
@text.replace(@short, @text, @small)
@text.zfill(@wide)
@text.center(@wide)
@text.center(@wide, '*')
@text.ljust(@wide)
@text.ljust(@wide, '.')
@text.rjust(@wide)
@text.rjust(@wide, '<')
@text.removeprefix(@short)
@text.removesuffix(@short)
@text.split()|join(@sep)
@text.split(@short)|last
@text.split(@short, @small)|join(@sep)
@text.split(maxsplit=@small)|join(@sep)
@text.rsplit(none, @small)|join(@sep)
@text.rsplit(@short, @small)|first
@text.partition(@short)|join(@sep)
@text.rpartition(@short)|join(@sep)
@text.partition(@short)[0]
@text.splitlines()|join(@sep)
@text.splitlines(true)|join(@sep)
@text.join(@texts)
', '.join(@texts)
@sep.join(@text)
@rows|sum(attribute='tags', start=[])|join(@sep)
@rows|attr('b')
@mark
@mark
@text|e
"""

MARK = r"""
@text|safe
@text|e
@text|escape
@text|forceescape
@mark|forceescape
@mark|escape
@mark|e|safe
@scalar|e
@num|safe
@mark + @text
@text + @mark
@mark ~ @scalar
@scalar ~ @mark
@mark * @small
@any|tojson
@any|tojson(@small)
@dict|tojson
@rows|tojson(indent=2)
@dict2|xmlattr
@dict2|xmlattr(@bool)
{'class': @text, 'id': @null, 'data-a': @scalar, 'title': @missing}|xmlattr
@text|urlize
'see http://example.com/a?b=c&d and '|urlize ~ @text
('www.example.com ' ~ @text ~ ' x@@y.com')|urlize(@wide)
('https://a.b.org/c (mailto:a@@b.com) ' ~ @text)|urlize(nofollow=@bool, target='_blank', rel='me')
('ftp://x.com tel:123 ' ~ @text)|urlize(extra_schemes=['tel:'])
@mark|upper
@mark|lower
@mark|capitalize
@mark|title
@mark|trim
@mark|string
@mark|center(@wide)
@mark|indent(@small, true)
@mark|replace(@short, @text)
@mark|replace('<', @mark)
@text|replace(@short, @mark)
@mark|truncate(@wide)
@text|truncate(@wide, true, '&hellip;'|safe)
@mark|wordwrap(@wide)
@text|wordwrap(@wide, wrapstring='<br>'|safe)
@mark|reverse
@mark|default(@text, true)
@mark|list|join(@sep)
@texts|join('<br>'|safe)
@nums|join('&nbsp;'|safe)
[@text, @mark, @num]|join(@sep)
[@mark, @missing]|join(@sep)
@texts|map('e')|join(@sep)
@texts|map('escape')|join(', ')
@texts|map('safe')|join('&')
@texts|map('forceescape')|first
('<b>%s</b>'|safe)|format(@scalar)
('<b>%s %s</b>'|safe) % (@text, @num)
('<i>%(a)s</i>'|safe) % {'a': @text}
('<i>%.1f %5s</i>'|safe)|format(@num, @text)
('<i>{} {}</i>'|safe).format(@text, @num)
('{0[0]}{a}'|safe).format(@texts2, a=@text)
@mark.join(@texts)
@mark.upper()
@mark.title()
@mark.strip()
@mark.replace(@short, @text)
@mark.split()|join(@sep)
@mark.split(@short)|join(@sep)
@mark.ljust(@wide, '.')
@mark.partition(@short)|join(@sep)
@mark.zfill(@wide)
@mark.splitlines()|join(@sep)
@mark.removeprefix(@short)
@mark[@small:]
@mark[::-1]
@mark[@small]
@mark if @cond else @text
@mark or @text
"""
