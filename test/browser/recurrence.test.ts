// Recurrence rules as python-dateutil expands them, which most calendar programs in Python use.
import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { expandSchedule } from '../../src/calendar/series/expand-schedule.ts'
import { calendar, locals, now, rule, startOn } from '../helpers/schedules.ts'

const until = '2032-01-01T00:00:00'
const program = `
import json, sys
from datetime import datetime
from dateutil.rrule import rrulestr
def expand(text, start):
    dates = rrulestr(text, dtstart=datetime.fromisoformat(start))
    return [each.isoformat() for each in dates.between(datetime(2026, 1, 1), datetime(2032, 1, 1), inc=True)]
print(json.dumps([expand(*each) for each in json.load(sys.stdin)]))`

test('the dates of rules are those of python-dateutil', () => {
  // A first date that the rule does not match is no date there, so that COUNT would mean something else. Of the first week, BYSETPOS
  // counts only the days from the first date there, and BYWEEKNO without BYDAY means all days of the week.
  const comparable = fc
    .tuple(rule, startOn)
    .map(([{ text }, start]) => [text.replace(/;(COUNT|UNTIL)=\w+/, ''), start] as const)
    .filter(([text]) => !/WEEKLY.*BYSETPOS/.test(text) && (!/BYWEEKNO/.test(text) || /BYDAY/.test(text)))
  fc.assert(
    fc.property(fc.array(comparable, { minLength: 300, maxLength: 300 }), (cases) => {
      const output = execFileSync('/usr/bin/python3', ['-c', program], { input: JSON.stringify(cases), maxBuffer: 1e8 })
      JSON.parse(output.toString()).forEach((expected: string[], index: number) => {
        const [text, start] = cases[index] as (typeof cases)[number]
        const recurrences = [{ startsLocal: start, endsLocal: start, rule: text }]
        const { dates } = expandSchedule({ timeZone: 'UTC', recurrences }, now, calendar, { until })
        expect([text, start, locals(dates)]).toEqual([text, start, [...new Set([start, ...expected])].sort()])
      })
    }),
    { numRuns: 1, endOnFailure: true },
  )
})
