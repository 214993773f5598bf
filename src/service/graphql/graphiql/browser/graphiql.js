// Starts GraphiQL in the browser, with the query in the URL or the tabs of the last visit.
const { base, title, tabs } = JSON.parse(document.querySelector('#settings').textContent)

const workers = { editorWorkerService: 'editor', json: 'json', graphql: 'graphql' }
self.MonacoEnvironment = {
  globalAPI: false,
  getWorkerUrl: (_, label) => `${base}/${workers[label]}-worker.js`,
}

// The query opens in a tab, which saves changes. Remove it from the URL, where it would become outdated.
const address = new URL(location.href)
const query = address.searchParams.get('query') ?? undefined
const variables = indented(address.searchParams.get('variables')) ?? undefined
for (const name of ['query', 'variables', 'operationName']) address.searchParams.delete(name)
history.replaceState(history.state, '', address)

function indented(json) {
  try {
    return json && JSON.stringify(JSON.parse(json), null, 2)
  } catch {
    return json
  }
}

/** The active tab of the last visit. Without it, GraphiQL opens a new tab for unchanged content. */
function lastTab() {
  try {
    const { tabs: stored, activeTabIndex } = JSON.parse(localStorage.getItem('graphiql:tabState'))
    const { query, variables, headers } = stored[activeTabIndex]
    return { initialQuery: query ?? '', initialVariables: variables ?? '', initialHeaders: headers ?? '' }
  } catch {
    return {}
  }
}

YogaGraphiQL.renderYogaGraphiQL(document.querySelector('#root'), {
  title,
  defaultTabs: query === undefined ? tabs : [{ query, variables }, ...tabs],
  ...(query === undefined ? lastTab() : { initialQuery: query, initialVariables: variables ?? '' }),
  shouldPersistHeaders: true,
  onEditQuery: () => {},
})
