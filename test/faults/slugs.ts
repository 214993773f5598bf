import type { Fault } from './fault.ts'

export const faults: readonly Fault[] = [
  {
    title: 'The second record with a very long title has a slug of more than 200 characters',
    file: 'src/calendar/text/slug.ts',
    find: 'shorten(slug.slice(0, maxLength - suffix.length))',
    replace: 'shorten(slug)',
    tests: ['test/content/slug.test.ts'],
  },
  {
    title: 'A long slug in another script ends within a character',
    file: 'src/calendar/text/slug.ts',
    find: "    .replace(halfCharacter, '')\n",
    replace: '    .replace(halfCharacter, (half) => half)\n',
    tests: ['test/content/slug.test.ts'],
  },
  {
    title: 'A pending event of a contributor gets the slug that the contributor sent',
    file: 'src/calendar/event/write.ts',
    find: "if (status !== 'pending' || may(viewer, 'publish')) return changes",
    replace: "if (status === 'trash' || may(viewer, 'publish')) return changes",
    tests: ['test/writing/rest-slugs.test.ts'],
  },
  {
    title: 'A slug that is sent when a record leaves the trash is ignored',
    file: 'src/calendar/lifecycle/post.ts',
    find: '{ slug, ...omitUndefined(changes.get(language)) }',
    replace: '{ ...omitUndefined(changes.get(language)), slug }',
    tests: ['test/writing/graphql-slugs.test.ts'],
  },
  {
    title: 'A filter by a category named with digits takes a number before a slug',
    file: 'src/calendar/list/references.ts',
    find: 'coalesce(s.${key}, r.id, m.${key}) AS id',
    replace: 'coalesce(r.id, s.${key}, m.${key}) AS id',
    tests: ['test/filters/oracle.test.ts'],
  },
]
