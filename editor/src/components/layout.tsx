import { type ReactNode, useState } from 'react'
import { useQuery } from 'urql'
import { Link, useLocation } from 'wouter'
import { QueueCountDocument, type UserRight } from '../gql/graphql.ts'
import {
  chooseInterfaceLanguage,
  interfaceLanguage,
  interfaceLanguages,
  type Messages,
  useMessages,
} from '../messages.ts'
import { useSession } from '../session.tsx'
import { basePath } from '../site.ts'
import { Button } from './button.tsx'
import { Select } from './field.tsx'
import { useKeptFocus } from './use-kept-focus.ts'

interface ScreenLink {
  readonly path: string
  readonly name: keyof Messages['screens']
  /** Without this right, the screen is not in the navigation. */
  readonly right?: UserRight
}

/** The screens that exist, in the order of the navigation. */
const screens: readonly ScreenLink[] = [
  { path: '/', name: 'events' },
  { path: '/calendar', name: 'calendar' },
  { path: '/translations', name: 'translations' },
  { path: '/venues', name: 'venues' },
  { path: '/organizers', name: 'organizers' },
  { path: '/categories', name: 'categories' },
  { path: '/tags', name: 'tags' },
  { path: '/pictures', name: 'pictures' },
  { path: '/trash', name: 'trash' },
  { path: '/queue', name: 'queue', right: 'EDIT_OTHERS' },
  { path: '/import', name: 'import', right: 'WRITE' },
  { path: '/users', name: 'users', right: 'MANAGE_USERS' },
  { path: '/webhooks', name: 'webhooks', right: 'MANAGE_USERS' },
]

const isCurrent = (path: string, location: string): boolean =>
  path === '/' ? location === '/' || location.startsWith('/events') : location.startsWith(path)

export function Layout({ children }: { readonly children: ReactNode }) {
  const messages = useMessages()
  const { viewer, site } = useSession()
  const [location] = useLocation()
  useKeptFocus()
  // The menu closes when another screen opens.
  const [menuAt, setMenuAt] = useState<string>()
  const isMenuOpen = menuAt === location
  return (
    <div className="frame">
      <a className="skip" href="#main">
        {messages.skip}
      </a>
      <header className="top">
        <Link href="/" className="brand">
          {site.name}
        </Link>
        <Button
          className="menu-button"
          aria-expanded={isMenuOpen}
          aria-controls="menu"
          onClick={() => setMenuAt(isMenuOpen ? undefined : location)}
        >
          {messages.menu}
        </Button>
      </header>
      <div id="menu" className={isMenuOpen ? 'side open' : 'side'}>
        <nav aria-label={messages.navigation}>
          <ul>
            {screens
              .filter(({ right }) => right === undefined || viewer.rights?.includes(right))
              .map(({ path, name }) => (
                <li key={path}>
                  <Link href={path} aria-current={isCurrent(path, location) ? 'page' : undefined}>
                    {messages.screens[name]}
                    {name === 'queue' && <QueueCount />}
                  </Link>
                </li>
              ))}
          </ul>
        </nav>
        <section className="side-foot" aria-label={messages.account}>
          <a href={`${basePath}/`}>{messages.toSite}</a>
          <a href={`${basePath}/account`}>{viewer.name}</a>
          <Link href="/credentials">{messages.screens.credentials}</Link>
          <form method="post" action={`${basePath}/sign-out`}>
            <Button type="submit" look="quiet">
              {messages.signOut}
            </Button>
          </form>
          <Select
            label={messages.language}
            value={interfaceLanguage}
            onChange={({ target }) =>
              chooseInterfaceLanguage(interfaceLanguages.find((language) => language === target.value) ?? 'en')
            }
          >
            {interfaceLanguages.map((language) => (
              <option key={language} value={language} lang={language}>
                {new Intl.DisplayNames(language, { type: 'language' }).of(language)}
              </option>
            ))}
          </Select>
        </section>
      </div>
      <main id="main" tabIndex={-1}>
        {children}
      </main>
    </div>
  )
}

/** How many proposals and events wait for somebody who decides. */
function QueueCount() {
  const [{ data }] = useQuery({ query: QueueCountDocument })
  const count = (data?.proposals.totalCount ?? 0) + (data?.eventsPage.total ?? 0)
  return (
    count > 0 && (
      <>
        {' '}
        <span className="count-badge">{count}</span>
      </>
    )
  )
}
