import { Link } from 'wouter'

interface Props<Name extends string> {
  /** What the tabs choose, for screen readers. */
  readonly label: string
  readonly names: readonly Name[]
  readonly current: Name
  readonly text: (name: Name) => string
  readonly href: (name: Name) => string
}

/** Links to the parts of a screen, such as one for each kind of record. */
export function Tabs<Name extends string>({ label, names, current, text, href }: Props<Name>) {
  return (
    <nav aria-label={label} className="tabs">
      {names.map((name) => (
        <Link key={name} href={href(name)} replace aria-current={name === current ? 'page' : undefined}>
          {text(name)}
        </Link>
      ))}
    </nav>
  )
}
