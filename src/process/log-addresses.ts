import type { Settings } from '../basics/env.ts'

/** Prints where the service is. */
export function logAddresses({ publicUrl, restEnabled, restPrefix, restNamespace, graphiql }: Settings): void {
  const rest = `${publicUrl}${restPrefix}/${restNamespace}/events`
  console.log(
    [
      'The calendar is open:',
      `  Pages    ${publicUrl}/`,
      `  GraphQL  ${publicUrl}/graphql${graphiql ? '   (GraphiQL in a browser)' : ''}`,
      ...(restEnabled ? [`  REST     ${rest}`, `  Docs     ${publicUrl}/docs`] : []),
    ].join('\n'),
  )
}
