// Starts Swagger UI, in the browser.
const { publicUrl, rest, graphiql } = JSON.parse(document.querySelector('#settings').textContent)
const root = document.querySelector('#root')

const dark = matchMedia('(prefers-color-scheme: dark)')
const showTheme = () => document.documentElement.classList.toggle('dark-mode', dark.matches)
dark.addEventListener('change', showTheme)
showTheme()

/** Requests go to where this page came from, by whatever name that was opened. */
const here = (server) => ({ ...server, url: server.url.replace(publicUrl, '') })

/** The GraphQL of an operation, above its parameters. */
const graphqlBeside = ({ React }) => {
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
  const Beside = graphqlBeside(system)
  return {
    statePlugins: {
      spec: {
        wrapActions: {
          updateJsonSpec: (original) => (json) => original({ ...json, servers: (json.servers ?? []).map(here) }),
        },
      },
    },
    wrapComponents: {
      // A link within the button that opens an operation is no use to a keyboard; the address follows what is open anyway.
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
            operations.length > 0 ? React.createElement(Beside, { operations, server }) : null,
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
  // Nothing is asked of swagger.io.
  validatorUrl: null,
  // Only what was given under Authorize is sent, and a refusal is shown instead of the browser's own dialogue.
  requestInterceptor: (request) => Object.assign(request, { credentials: 'omit' }),
})

// Names for what Swagger UI leaves without, and a way by keyboard into what scrolls.
function complete() {
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
new MutationObserver(complete).observe(root, { childList: true, subtree: true })
