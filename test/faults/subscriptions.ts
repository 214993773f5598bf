import type { Fault } from './fault.ts'

export const faults: readonly Fault[] = [
  {
    title: 'Subscribers are not told of a new title of a locked event',
    file: 'src/service/graphql/subscriptions/subscriber-group.ts',
    find: `
    const looksSame = locked !== undefined && locked === lockedVersions.get(id)
    if (locked === undefined) lockedVersions.delete(id)
    else lockedVersions.set(id, locked)
`,
    replace: `
    if (locked === undefined) lockedVersions.delete(id)
    else lockedVersions.set(id, locked)
    const looksSame = locked !== undefined && locked === lockedVersions.get(id)
`,
    tests: ['test/subscriptions/changes.test.ts'],
  },
  {
    title: 'Subscribers get changes in the language of another subscriber',
    file: 'src/service/graphql/subscriptions/change-hub.ts',
    find: `
  const { language, viewer, forEditing, passwordKey } = context
  return JSON.stringify([kind, criteria, language, viewer`,
    replace: `
  const { viewer, forEditing, passwordKey } = context
  return JSON.stringify([kind, criteria, viewer`,
    tests: ['test/subscriptions/changes.test.ts'],
  },
  {
    title: 'Subscribers are not told of an event whose publication was moved forward',
    file: 'src/service/graphql/subscriptions/publication-watcher.ts',
    find: 'if (state) state.dueAt = 0',
    replace: 'if (state?.dueAt === Number.POSITIVE_INFINITY) state.dueAt = 0',
    tests: ['test/subscriptions/instances.test.ts'],
  },
  {
    title: 'A new subscriber gets changes from before the subscription',
    file: 'src/service/graphql/subscriptions/subscriber-group.ts',
    find: '        await settled()\n',
    replace: '',
    tests: ['test/subscriptions/changes.test.ts'],
  },
]
