// Starts Swagger UI, in the browser.
const { publicUrl, rest, graphiql } = JSON.parse(document.querySelector('#settings').textContent)
const root = document.querySelector('#root')

const dark = matchMedia('(prefers-color-scheme: dark)')
const showTheme = () => document.documentElement.classList.toggle('dark-mode', dark.matches)
dark.addEventListener('change', showTheme)
showTheme()

/** Sends requests to the host that the page was loaded from. */
const withoutHost = (server) => ({ ...server, url: server.url.replace(publicUrl, '') })

/** A component that shows the GraphQL operations of a route. */
const graphqlSection = ({ React }) => {
  const element = React.createElement
  // `/fr/cal/events/v1/` is the root of `/fr/graphql`.
  const endpoint = (server) => `${server?.endsWith(rest) ? server.slice(0, -rest.length) : ''}/graphql`
  const nameOf = (query) => /^\w+ \w+/.exec(query)?.[0]

  function Operation({ query, variables, server }) {
    const json = JSON.stringify(variables, null, 2)
    const address = `${endpoint(server)}?${new URLSearchParams({ query, variables: JSON.stringify(variables) })}`
    const open = element('a', { href: address, target: '_blank', rel: 'noopener' }, 'Open in GraphiQL')
    return element(
      'div',
      { className: 'graphql-operation' },
      element(
        'details',
        null,
        element('summary', null, element('code', null, nameOf(query))),
        element('pre', { tabIndex: 0 }, query),
        element('p', null, 'Variables'),
        element('pre', { tabIndex: 0 }, json),
      ),
      graphiql ? open : null,
    )
  }

  return ({ operations, server }) =>
    element(
      'div',
      { className: 'opblock-section graphql' },
      element('div', { className: 'opblock-section-header' }, element('h4', null, 'GraphQL')),
      operations.map((operation) => element(Operation, { ...operation, server, key: operation.query })),
    )
}

const plugin = (system) => {
  const GraphqlSection = graphqlSection(system)
  return {
    statePlugins: {
      spec: {
        wrapActions: {
          updateJsonSpec: (original) => (json) => original({ ...json, servers: (json.servers ?? []).map(withoutHost) }),
        },
      },
    },
    wrapComponents: {
      // A link inside a button cannot be reached by keyboard. The address bar shows the open operation anyway.
      DeepLink:
        (_, { React }) =>
        (props) =>
          React.createElement('span', null, props.text),
      parameters:
        (Original, { React }) =>
        (props) => {
          const operations = [props.operation.get('x-graphql')?.toJS() ?? []].flat()
          const server = props.oas3Selectors.selectedServer()
          return React.createElement(
            React.Fragment,
            null,
            operations.length > 0 ? React.createElement(GraphqlSection, { operations, server }) : null,
            React.createElement(Original, props),
          )
        },
    },
  }
}

SwaggerUIBundle({
  url: `${rest}doc`,
  domNode: root,
  presets: [SwaggerUIBundle.presets.apis],
  plugins: [plugin],
  layout: 'BaseLayout',
  deepLinking: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  filter: true,
  persistAuthorization: true,
  syntaxHighlight: { theme: 'tomorrow-night' },
  tryItOutEnabled: true,
  // Disables requests to swagger.io.
  validatorUrl: null,
  // Sends only the credential entered under Authorize, and avoids the browser's own sign-in dialog.
  requestInterceptor: (request) => Object.assign(request, { credentials: 'omit' }),
})

// Adds accessible names, and keyboard access to scrollable elements, which Swagger UI lacks.
function addAccessibility() {
  const setAll = (selector, attribute, value) => {
    for (const element of root.querySelectorAll(`${selector}:not([${attribute}])`)) {
      element.setAttribute(attribute, typeof value === 'function' ? value(element) : value)
    }
  }
  setAll('#servers', 'aria-label', 'Server')
  setAll('tr[data-param-name] select', 'aria-label', (element) => element.closest('tr').dataset.paramName)
  setAll('textarea.body-param__text', 'aria-label', 'Request body')
  setAll('pre.microlight', 'tabindex', '0')
}
new MutationObserver(addAccessibility).observe(root, { childList: true, subtree: true })
