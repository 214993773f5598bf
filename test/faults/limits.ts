import type { Fault } from './fault.ts'

export const faults: readonly Fault[] = [
  {
    title: 'A body of REST with lists in lists is an internal error',
    file: 'src/apis/rest/params.ts',
    find: 'exceededLimit(item, depth + 1)',
    replace: 'exceededLimit(item, depth)',
    tests: ['test/limits/texts.test.ts'],
  },
  {
    title: 'A page of 100 records costs as little as a page of the usual size',
    file: 'src/service/graphql/limits/cost.ts',
    find: '[...defaults, ...entries]',
    replace: '[...entries, ...defaults]',
    tests: ['test/limits/cost.test.ts'],
  },
  {
    title: 'A request with ten mutations counts as one write',
    file: 'src/service/graphql/limits/limits.ts',
    find: 'rates.write(client, cost.writes)',
    replace: 'rates.write(client)',
    tests: ['test/limits/rates.test.ts'],
  },
  {
    title: 'A document with as many fragments as the limit allows is refused',
    file: 'src/service/graphql/limits/document-size.ts',
    find: 'fragments.size > limits.fragments',
    replace: 'fragments.size >= limits.fragments',
    tests: ['test/limits/requests.test.ts'],
  },
  {
    title: 'Each address of a network has its own rate limit',
    file: 'src/service/http/rate-limits.ts',
    find: ': networkOf(address)\n',
    replace: ': address\n',
    tests: ['test/limits/rates.test.ts'],
  },
  {
    title: 'A client may open one subscription more than the limit',
    file: 'src/service/graphql/subscriptions/subscription-limiter.ts',
    find: 'ofClient.size >= subscriptionsPerClient',
    replace: 'ofClient.size > subscriptionsPerClient',
    tests: ['test/subscriptions/limits.test.ts'],
  },
  {
    title: 'A NUL character in the name of a property of a custom field is an internal error',
    file: 'src/basics/input-limits.ts',
    find: "    if (Object.keys(value).some((key) => key.includes('\\0'))) return refuse(nulMessage, null)\n",
    replace: '',
    tests: ['test/writing/graphql-malicious-text.test.ts'],
  },
  {
    title: 'A subscription of any cost may be opened, and as often as a client wants',
    file: 'src/service/graphql/limits/limits.ts',
    find: '      await limitCost(args)\n',
    replace: '',
    tests: ['test/subscriptions/limits.test.ts'],
  },
  {
    title: 'When too much waits to be sent, all slow clients lose their connections instead of the oldest',
    file: 'src/service/http/slow-clients.ts',
    find: '      total -= writableLength\n      if (total <= unsentBytes) return\n',
    replace: '      total -= writableLength\n',
    tests: ['test/limits/slow-clients.test.ts'],
  },
]
