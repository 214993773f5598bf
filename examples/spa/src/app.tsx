import { useEffect } from 'react'
import { Provider, useQuery } from 'urql'
import { Redirect, Route, Router, Switch, useSearch } from 'wouter'
import { useBrowserLocation } from 'wouter/use-browser-location'
import { Layout } from './components/layout.tsx'
import { NotFound } from './components/states.tsx'
import { withParam } from './filters.ts'
import { siteQuery } from './graphql/fragments.ts'
import { LanguageContext, languageOfPath, preferredLanguage, useMessages } from './languages.ts'
import { LiveUpdates } from './live.tsx'
import { EventScreen } from './screens/event.tsx'
import { ListScreen } from './screens/list.tsx'
import { MonthScreen } from './screens/month.tsx'
import { NewEventScreen } from './screens/new-event.tsx'
import { SignInScreen } from './screens/sign-in.tsx'
import { TranslateScreen } from './screens/translate.tsx'
import { useSession } from './session.tsx'
import { SiteContext } from './site.ts'

/** The first page opens in the language of the browser. A path without a language is the default language. */
function openPreferredLanguage(): void {
  const { base } = preferredLanguage()
  if (location.pathname === '/' && location.search === '' && base !== '' && history.length <= 2)
    history.replaceState(null, '', `${base}/`)
}
openPreferredLanguage()

export function App() {
  const [path] = useBrowserLocation()
  const language = languageOfPath(path)
  const { clientFor, authorization } = useSession()
  useEffect(() => {
    document.documentElement.lang = language.tag
    document.documentElement.dir = language.direction
  }, [language])
  return (
    <LanguageContext value={language}>
      {/* Another language or user is another cache: the screens start anew. */}
      <Provider value={clientFor(language)} key={`${language.tag} ${authorization}`}>
        <Router base={language.base}>
          <Screens />
        </Router>
      </Provider>
    </LanguageContext>
  )
}

function Screens() {
  const messages = useMessages()
  const [{ data, fetching }] = useQuery({ query: siteQuery })
  const search = useSearch()
  const site = { name: data?.site.name ?? messages.siteFallback, timeZone: data?.site.timeZone ?? 'UTC' }
  const unnamed = new URLSearchParams(search).get('p')
  // The zone decides which day is today, and the name how wide the header is.
  if (fetching && !data) return null
  return (
    <SiteContext value={site}>
      <LiveUpdates>
        <Layout>
          <Switch>
            <Route path="/">{unnamed === null ? <MonthScreen /> : <EventScreen by={{ id: unnamed }} />}</Route>
            <Route path="/events">
              <ListScreen />
            </Route>
            <Route path="/events/category/*">
              {({ '*': slugs }) => (
                <Redirect
                  to={`/events/${withParam('', 'category', slugs.split('/').filter(Boolean).at(-1) ?? null)}`}
                  replace
                />
              )}
            </Route>
            <Route path="/event/:slug">{({ slug }) => <EventScreen by={{ slug: decoded(slug) }} />}</Route>
            <Route path="/new">
              <NewEventScreen />
            </Route>
            <Route path="/translate/:id">{({ id }) => <TranslateScreen id={id} key={id} />}</Route>
            <Route path="/sign-in">
              <SignInScreen />
            </Route>
            <Route>
              <NotFound siteName={site.name} />
            </Route>
          </Switch>
        </Layout>
      </LiveUpdates>
    </SiteContext>
  )
}

/** The text of a path segment, which anybody may have typed. */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
