import type { Fault } from './fault.ts'

export const faults: readonly Fault[] = [
  {
    title: 'Of two changes of all later dates of a series, the earlier one applies',
    file: 'src/tools/icalendar/import-item.ts',
    find: '(a.id.local < b.id.local ? -1 : 1)',
    replace: '(a.id.local < b.id.local ? 1 : -1)',
    tests: ['test/cli/ics-series.test.ts'],
  },
  {
    title: 'An import with a password sends it to another port of the server',
    file: 'src/tools/import-site/find-root.ts',
    find: 'root.origin === siteUrl.origin',
    replace: 'root.hostname === siteUrl.hostname',
    tests: ['test/import-site/reading.test.ts'],
  },
  {
    title: 'An import with --prune deletes a category that existed before',
    file: 'src/tools/import-site/prune.ts',
    find: 'return !isAdopted && ![sourceId',
    replace: 'return ![sourceId',
    tests: ['test/import-site/target-changes.test.ts'],
  },
  {
    title: 'Texts in Brazilian Portuguese become Portuguese ones',
    file: 'src/tools/import-site/languages.ts',
    find: "languages.find((each) => each === code) ?? languages.find((each) => each.split('-')[0] === primary)",
    replace: "languages.find((each) => each.split('-')[0] === primary) ?? languages.find((each) => each === code)",
    tests: ['test/import-site/languages.test.ts'],
  },
  {
    title: 'A changed occurrence of a private series becomes public',
    file: 'src/tools/icalendar/inherit.ts',
    find: "  ['class'],\n",
    replace: '',
    tests: ['test/cli/ics-series.test.ts'],
  },
  {
    title: 'A file with the same LAST-MODIFIED changes nothing',
    file: 'src/tools/icalendar/write-event.ts',
    find: 'lastModified >= imported',
    replace: 'lastModified > imported',
    tests: ['test/cli/import-ics.test.ts'],
  },
  {
    title: 'An EXDATE without a time excludes nothing',
    file: 'src/tools/icalendar/series-schedule.ts',
    find: "startOf(date).slice(0, date.isDate || allDay ? 'YYYY-MM-DD'.length : undefined)",
    replace: "date.isDate ? date.local : startOf(date).slice(0, allDay ? 'YYYY-MM-DD'.length : undefined)",
    tests: ['test/cli/ics-dates.test.ts'],
  },
  {
    title: 'A cell that begins with @ is a formula in spreadsheet programs',
    file: 'src/tools/spreadsheets/csv.ts',
    find: '[=+\\-@\\t',
    replace: '[=+\\-\\t',
    tests: ['test/cli/spreadsheet/random-text.test.ts'],
  },
  {
    title: 'The import of a spreadsheet overwrites changes that were made after its export',
    file: 'src/tools/spreadsheets/plan.ts',
    find: '{ ifUnmodifiedSince: since }',
    replace: '{ ifUnmodifiedSince: current.modifiedAt }',
    tests: ['test/cli/spreadsheet/import.test.ts'],
  },
  {
    title: 'An export without accounts lacks the authors of images',
    file: 'src/tools/transfer/export.ts',
    find: "[...postKinds, 'image'].map(",
    replace: '[...postKinds].map(',
    tests: ['test/cli/round-trip.test.ts'],
  },
]
