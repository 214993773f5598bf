import { lazy, Suspense } from 'react'
import { Provider } from 'urql'
import { Route, Router, Switch } from 'wouter'
import { ErrorBoundary } from './components/error-boundary.tsx'
import { Layout } from './components/layout.tsx'
import { Loading } from './components/states.tsx'
import { ToastProvider } from './components/toast.tsx'
import './components/use-leave-warning.ts'
import { client } from './graphql/client.ts'
import { EventsScreen } from './screens/events/events.tsx'
import { NotFoundScreen } from './screens/not-found.tsx'
import { SessionProvider } from './session.tsx'
import { basePath } from './site.ts'

// Screens beside the first one are loaded when they are opened.
const CalendarScreen = lazy(() =>
  import('./screens/calendar/calendar.tsx').then(({ CalendarScreen }) => ({ default: CalendarScreen })),
)
const TrashScreen = lazy(() =>
  import('./screens/trash/trash.tsx').then(({ TrashScreen }) => ({ default: TrashScreen })),
)
const HistoryScreen = lazy(() =>
  import('./screens/history/history.tsx').then(({ HistoryScreen }) => ({ default: HistoryScreen })),
)
const QueueScreen = lazy(() =>
  import('./screens/queue/queue.tsx').then(({ QueueScreen }) => ({ default: QueueScreen })),
)
const ImportScreen = lazy(() =>
  import('./screens/import/import.tsx').then(({ ImportScreen }) => ({ default: ImportScreen })),
)
const UsersScreen = lazy(() =>
  import('./screens/users/users.tsx').then(({ UsersScreen }) => ({ default: UsersScreen })),
)
const PicturesScreen = lazy(() =>
  import('./screens/pictures/pictures.tsx').then(({ PicturesScreen }) => ({ default: PicturesScreen })),
)
const EventScreen = lazy(() =>
  import('./screens/event/event.tsx').then(({ EventScreen }) => ({ default: EventScreen })),
)
const RecordListScreen = lazy(() =>
  import('./screens/records/record-list.tsx').then(({ RecordListScreen }) => ({ default: RecordListScreen })),
)
const RecordScreen = lazy(() =>
  import('./screens/records/record.tsx').then(({ RecordScreen }) => ({ default: RecordScreen })),
)
const TranslationsScreen = lazy(() =>
  import('./screens/translations/translations.tsx').then(({ TranslationsScreen }) => ({ default: TranslationsScreen })),
)
const WebhooksScreen = lazy(() =>
  import('./screens/webhooks/webhooks.tsx').then(({ WebhooksScreen }) => ({ default: WebhooksScreen })),
)
const CredentialsScreen = lazy(() =>
  import('./screens/credentials/credentials.tsx').then(({ CredentialsScreen }) => ({ default: CredentialsScreen })),
)

const recordPaths = ['venues', 'organizers', 'categories', 'tags'] as const
const historyPaths = ['events', ...recordPaths] as const

export function App() {
  return (
    <Provider value={client}>
      <Router base={`${basePath}/edit`}>
        <SessionProvider>
          <ToastProvider>
            <Layout>
              <ErrorBoundary>
                <Suspense fallback={<Loading />}>
                  <Switch>
                    <Route path="/" component={EventsScreen} />
                    <Route path="/events/:databaseId" component={EventScreen} />
                    <Route path="/pictures" component={PicturesScreen} />
                    <Route path="/calendar" component={CalendarScreen} />
                    <Route path="/translations" component={TranslationsScreen} />
                    <Route path="/trash" component={TrashScreen} />
                    {historyPaths.map((path) => (
                      <Route key={path} path={`/${path}/:databaseId/history`}>
                        {({ databaseId }) => <HistoryScreen path={path} databaseId={databaseId} key={databaseId} />}
                      </Route>
                    ))}
                    <Route path="/queue" component={QueueScreen} />
                    <Route path="/import" component={ImportScreen} />
                    <Route path="/users" component={UsersScreen} />
                    {recordPaths.map((kind) => (
                      <Route key={kind} path={`/${kind}`}>
                        <RecordListScreen kind={kind} key={kind} />
                      </Route>
                    ))}
                    {recordPaths.map((kind) => (
                      <Route key={kind} path={`/${kind}/:databaseId`}>
                        {({ databaseId }) => <RecordScreen kind={kind} databaseId={databaseId} key={databaseId} />}
                      </Route>
                    ))}
                    <Route path="/webhooks" component={WebhooksScreen} />
                    <Route path="/credentials" component={CredentialsScreen} />
                    <Route component={NotFoundScreen} />
                  </Switch>
                </Suspense>
              </ErrorBoundary>
            </Layout>
          </ToastProvider>
        </SessionProvider>
      </Router>
    </Provider>
  )
}
