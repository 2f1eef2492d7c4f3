# SPDX-License-Identifier: Apache-2.0
"""Wording that readers misunderstood: a name, a pattern, why it misleads, what to write, and sentences that it must find.

A new rule is one entry. Keep a pattern narrow: it must find no sentence that reads well."""

import collections
import re

Rule = collections.namedtuple('Rule', 'name pattern why better examples')

UNIT = (r'(?:GPU(?: type)?|run|month|year|hour|day|quarter|token|logit|step|layer|parameter|weight|node|second|week|core|line|row|'
        r'pick|cell|column|value head|card|site|seller|provider|person|piece|kWh|tier)')
THING = (r'(?:\$|\$[\d,.]+|USD|dollars?|cents?|hours?|h|minutes?|tokens?|GPUs?|GPU-hours?|GiB|GB|bytes?|TFLOP|runs?|jobs?|months?|'
         r'rows?|lines?|files?|discs?|objects?|entry|entries|points?|operations?|people|money|price|rent|cost|costs|paid|times?|once|'
         r'milliseconds|microseconds|[µum]s|%)')

RULES = [Rule(name, re.compile(pattern, flags), why, better, examples) for name, pattern, flags, why, better, examples in [
    ('inverted', r'(?:^|[:;(] ?)(?:Taken|Held out|Ringed|Boxed|Shown|Left out|Charged|Counted|Named|Drawn|Refused|Listed|Compared|Meant|Added) '
     r'(?:here )?(?:is|are|was|were)\b|\b[Ii]n use already\b', 0,
     'the verb stands before its subject', 'subject first: "We use the lowest price"',
     ['Taken is the lowest on-demand price not older than 45 days.', 'Held out are the sources.', 'Ringed is the pick.', 'in use already']),
    ('stands', r'(?<!as it )(?<!as they )\b(?:stands?|stood)\b(?! (?:for|alone)\b)', re.I, 'nothing stands in a table', '"is", "are", or name the place',
     ['Other sellers stand in the archive than in this edition.', 'the file in which it stands']),
    ('rests on', r'\b(?:rests?|rested|resting) on\b', re.I, 'a figure does not rest', '"uses", "comes from", "was fitted to"',
     ['that no fitted constant of the engine rests on']),
    ('whatever', r'\b(?:whatever|whoever|whomever)\b', re.I, 'a riddle', '"fixed", "in any case", "if you"',
     ['$60,119 in all: $7,988 whatever runs.', 'whoever fits a constant to a source']),
    ('told', r'\b(?:is|are|was|were|be|been|being) told\b|\btold (?:by|apart|of)\b|\btells of\b', re.I, 'nobody tells anything',
     '"reported", "shown", "listed"', ['A row that is told by its run.', 'An entry is told once.']),
    ('per', rf'(?:^|[\s(]|(?<=\$)){THING} an? {UNIT}s?\b(?! (?:of|is|has|that|needs|costs|whose|or)\b)', 0, '"a" and "an" are no units', '"per"',
     ['Owning pays from 12 runs of one job a month.', 'whose 12 bytes a logit stay the most', 'A line a GPU type, a disc a count',
      '$ a run', 'a JSON object a line', '2 operations a parameter and token']),
    ('a disc a count', r'\ban? (?:line|row|file|object|disc|entry|column|page|sheet|point|way) an? (?:GPU|row|line|count|change|pick|thing|provider|'
     r'form|model|month)\b', re.I, 'the verb and "per" are missing', '"one line per GPU type"', ['A line a GPU type, a disc a count', 'one entry a thing, an entry a thing']),
    ('in the place of', r'\bin the (?:place|stead) of\b', re.I, 'long', '"instead of"', ['one score in the place of the words']),
    ('but for', r'\bbut for\b', re.I, 'old', '"except"', ['Samples do not stand in packs, but for distillation.']),
    ("one's own", r"\bone's\b|\bof one’s\b", re.I, 'nobody is "one"', '"your", "your own"', ['a catalog of one\'s own']),
    ('anew', r'\banew\b', re.I, 'old', '"again"', ['every constant fitted anew']),
    ('nothing', r'\b(?:below|than|by|under) nothing\b|\bno clock of\b', re.I, 'a riddle', 'name the lower limit: "at least 0"',
     ['No clock of a step is below nothing.']),
    ('less one', r', less one\b', re.I, 'a formula in words', '"estimate ÷ measured − 1"', ['the estimate over the measured figure, less one']),
    ('went on in use', r'\bwent on in use\b|\bat no use\b', re.I, 'a riddle', '"is assumed to stay in use", "while unused"',
     ['as if it went on in use after them', 'its month at no use']),
    ('holds nine', r'\bholds? (?:nine|where|whichever|good|what (?!its|their))\b|\bpractice holds\b', re.I, 'a range does not hold', '"contains", "shows", "applies"',
     ['the bars hold nine runs of ten', 'the range that holds nine runs of ten']),
    ('of of of', r'\bof (?:the |a |an |its |their )?[\w-]+ of (?:the |a |an |its |their )?[\w-]+ of (?:the |a |an |its |their )?\w', re.I, 'a chain of "of"',
     'a compound or a verb: "the rent of a run of a pick of the sheet" is "what the sheet\'s pick costs per run"',
     ['the price of a run of the pick of the sheet']),
    ('archaic not', r'\b(?:says|knows|needs|costs|takes|gives|tells|wants|rests|fits) not\b(?! (?:only|yet)\b)', re.I, 'old negation', '"does not …"',
     ['says not what', 'knows not who']),
    ('mended', r'\bmend(?:s|ed|ing)?\b', re.I, 'unusual', '"fixes", "corrects"', ['Errors a user can mend']),
    ('at the most', r'\bat the (?:least|most)(?=[,.;:)]|$)', re.I, 'unusual', '"at least", "at most"', ['people of the site, at the least']),
    ('borne', r'\bborne (?:by|out)\b', re.I, 'unusual', '"confirmed", "has"', ['is borne out by these figures']),
    ('in the middle', r'(?:%|[\d.]+) in the middle\b', re.I, 'not a statistic', '"in the median"', ['rose within 90 days. by 17 % in the middle, 1 fell']),
    ('nobody published', r'\bof an? \w+ (?:that )?nobody\b', re.I, 'inside out', '"an estimated speed"', ['picks of a speed nobody published']),
    ('of which no', r'\bof (?:which|whom) no\b|\bare of (?:\w+ )?types of\b', re.I, 'inside out', 'start with the thing that is missing',
     ['Hours behind “~” are of GPU types of which no run of the method was published.']),
    ('then no', r': then no\b', re.I, 'no verb', '"If rents fall 20 %, buying no longer pays."', ['rents: then no 2x RTX PRO 6000 workstation']),
    ('no cheaper run', r'\bno (?:cheaper|dearer|faster) (?:run|hour)\b', re.I, 'says the opposite of the figures beside it', 'say which is cheaper, and the risk',
     ['8 × MI300X is the cheapest hour ($19.12/h against $48.00/h) and no cheaper run: 25 h and $485 against 12 h and $552']),
    ('no number of', r'\bno number of \w+ that\b', re.I, 'no verb', '"The machine cannot do enough runs."', ['“never”: no number of runs that the machine can do in a month.']),
    ('widest with', r'(?:^|[.] )(?:Widest|Narrowest|Largest|Smallest) (?:with|by)\b', 0, 'no verb', '"The widest range is that of …"',
     ['A used GPU-hour costs $37.92. Widest with “Planned hours”.']),
    ('its way is', r'\b(?:its|their) (?:way|level) (?:is|are)\b(?=[.,;]|$| not that)', re.I, 'a riddle', '"compare the trend, not the level"',
     ['so its level is not that of the table above; its way is.']),
    ('the one that comes', r'\bfor the one that comes\b|\bbeyond the best for\b', re.I, 'a riddle', '"if another demand occurs"',
     ['cost beyond the best for the one that comes']),
    ('that there is not', r'\bthat there (?:is|are) not\b|\bthat is not there\b', re.I, 'a riddle', '"missing"', ['a stage of ZeRO that there is not']),
]]

# The ten worst sentences of a reading by three people, as they were printed. Each must be found by some rule.
WORST = [
    'Owning pays from 12 runs of one job a month (30B-A3B QLoRA: 1 × Spark for $4,699), 70B full from 30, 32B QLoRA only from 533.',
    '8 × MI300X is the cheapest hour ($19.12/h against $48.00/h) and no cheaper run: 25 h and $485 against 12 h and $552',
    'A line a GPU type, a disc a count, the fewest GPUs at the right; the bars hold nine runs of ten; “~” has no published speed.',
    '$60,119 in all: $7,988 whatever runs, $52,131 for the runs; machines for $22,500 are bought.',
    'A machine costs its month at no use from delivery on, its runs their energy; it is charged as if it went on in use after them.',
    'Held out are the sources that no fitted constant of the engine rests on.',
    'loss_type nll gives trainer: its metrics copy the logits, but before backward, whose 12 bytes a logit stay the most.',
    'Taken is the lowest on-demand price (offers: list) not older than 45 days on 2026-11-20.',
    'Other sellers stand in the archive than in this edition, so its level is not that of the table above; its way is.',
    '7 of 11 list offers rose within 90 days. by 17 % in the middle, 1 fell',
    'picks of a speed nobody published. … up to 86 % longer and dearer',
    'rents: then no 2x RTX PRO 6000 workstation',
    'Hours behind “~” are of GPU types of which no run of the method was published',
    'An error is the estimate over the measured figure, less one.',
    '“never”: no number of runs that the machine can do in a month.',
    'A used GPU-hour of 1 × B200 costs $37.92. Widest with “Planned hours”.',
    'What the machines and reservations chosen for one demand cost beyond the best for the one that comes.',
    'No clock of a step is below nothing.',
]

# Sentences that read well: no rule may find them.
PLAIN = [
    'We use the lowest on-demand list price seen in the 45 days before 2026-11-20.',
    'Each line is a GPU type; the number in a circle is how many GPUs.',
    'If every run takes as long as its upper estimate: $81,283.',
    'Error = estimate ÷ measured − 1.',
    'One-year prices may be 400 days old.',
    'FSDP stands for fully sharded data parallel.',
    'It runs on a node with eight GPUs, and a run of 30 hours pays 48.',
    'What a run pays in a month is the upper end of its range.',
    'A sheet has at most 30,000 rows.',
    'It says how many GPUs a model takes, and how many hours a run needs.',
    'A card holds what its name says.',
]
