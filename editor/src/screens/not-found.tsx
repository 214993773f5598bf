import { Link } from 'wouter'
import { Screen } from '../components/screen.tsx'
import { useMessages } from '../messages.ts'

export function NotFoundScreen() {
  const { notFound } = useMessages()
  return (
    <Screen title={notFound.title}>
      <p>{notFound.text}</p>
      <p>
        <Link href="/">{notFound.home}</Link>
      </p>
    </Screen>
  )
}
