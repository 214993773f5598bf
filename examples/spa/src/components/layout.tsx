import { type ReactNode, useEffect } from 'react'
import { Link, useLocation } from 'wouter'
import { type Language, languages, useLanguage } from '../languages.ts'
import { useSession } from '../session.tsx'
import { useSite } from '../site.ts'
import { SearchBox } from './search-box.tsx'

export function Layout({ children }: { readonly children: ReactNode }) {
  const { messages, base } = useLanguage()
  const site = useSite()
  const { viewer, signOut } = useSession()
  const [path] = useLocation()
  useScrollToTop()
  const current = (target: string) => (path === target ? 'page' : undefined)
  return (
    <>
      <a className="skip" href="#content">
        {messages.skip}
      </a>
      <header className="site-header">
        <Link href="/" className="brand">
          <Mark />
          <span>{site.name}</span>
        </Link>
        <nav aria-label={messages.navigation} className="site-nav">
          <Link href="/" aria-current={current('/')}>
            {messages.calendar}
          </Link>
          <Link href="/events/" aria-current={current('/events/')}>
            {messages.list}
          </Link>
        </nav>
        <SearchBox />
        <LanguageSwitch />
        <div className="account">
          {viewer ? (
            <>
              <Link href="/new/" className="button small">
                {messages.newEvent}
              </Link>
              <button
                type="button"
                className="quiet"
                onClick={signOut}
                title={messages.account.signedInAs(viewer.name)}
              >
                {messages.signOut}
              </button>
            </>
          ) : (
            <Link href="/sign-in/" className="quiet">
              {messages.signIn}
            </Link>
          )}
        </div>
      </header>
      <main id="content" tabIndex={-1}>
        {children}
      </main>
      <footer className="site-footer">
        <p>{messages.about}</p>
        <p>
          <a href={`${base}/events.ics`}>{messages.subscribe}</a>
        </p>
      </footer>
    </>
  )
}

/** A new page begins at its top; back and forward keep the position, which the browser restores. */
function useScrollToTop(): void {
  useEffect(() => {
    let path = location.pathname
    const scroll = () => {
      if (location.pathname !== path) scrollTo(0, 0)
      path = location.pathname
    }
    const remember = () => {
      path = location.pathname
    }
    addEventListener('pushState', scroll)
    addEventListener('popstate', remember)
    return () => {
      removeEventListener('pushState', scroll)
      removeEventListener('popstate', remember)
    }
  }, [])
}

const Mark = () => (
  <svg viewBox="0 0 64 64" className="mark" aria-hidden="true">
    <path fill="#2746e6" d="M0 0h64v64H0z" />
    <path fill="#ffd166" d="M0 32a32 32 0 0 1 32-32v32z" />
    <circle cx="48" cy="16" r="16" fill="#ff5d3b" />
    <path fill="#fff" d="M32 32h32a32 32 0 0 1-32 32z" />
    <path fill="#0b1350" d="M0 32h32v32H0z" />
  </svg>
)

/** The same page in another language. Pages of events put their own addresses here: slugs depend on the language. */
function LanguageSwitch() {
  const language = useLanguage()
  const [path] = useLocation()
  const href = (other: Language) =>
    document.querySelector<HTMLLinkElement>(`link[rel="alternate"][hreflang="${other.tag}"]`)?.getAttribute('href') ??
    `${other.base}${path}${location.search}`
  return (
    <nav className="languages" aria-label={language.messages.language}>
      {languages.map((other) => (
        <LanguageLink key={other.tag} other={other} isCurrent={other === language} href={() => href(other)} />
      ))}
    </nav>
  )
}

interface LanguageLinkProps {
  readonly other: Language
  readonly isCurrent: boolean
  readonly href: () => string
}

function LanguageLink({ other, isCurrent, href }: LanguageLinkProps) {
  const [, navigate] = useLocation()
  return (
    <a
      href={`${other.base}/`}
      lang={other.tag}
      hrefLang={other.tag}
      aria-current={isCurrent ? 'true' : undefined}
      title={other.name}
      onClick={(event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return
        event.preventDefault()
        navigate(`~${href()}`)
      }}
    >
      <span aria-hidden="true">{other.tag.toUpperCase()}</span>
      <span className="visually-hidden">{other.name}</span>
    </a>
  )
}
