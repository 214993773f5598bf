// Starts GraphiQL, in the browser: with what the address asks for, else with the tabs that were open here last.
const { base, title, tabs } = JSON.parse(document.querySelector('#settings').textContent)

const workers = { editorWorkerService: 'editor', json: 'json', graphql: 'graphql' }
self.MonacoEnvironment = {
  globalAPI: false,
  getWorkerUrl: (_, label) => `${base}/${workers[label]}-worker.js`,
}

// What was asked for is a tab from now on, which remembers what becomes of it; the address would not.
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

/** The tab that was open here last. It has to be named, or GraphiQL takes an editor that never changed for a new tab. */
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
