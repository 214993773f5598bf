import { useState } from 'react'
import { useLocation, useSearch } from 'wouter'
import { Field } from '../components/field.tsx'
import { PageHeading, useTitle } from '../components/states.tsx'
import { useMessages } from '../languages.ts'
import { useSession } from '../session.tsx'
import { useSite } from '../site.ts'

/** Two slashes begin the address of another site. */
const isPath = (text: string | null): text is string => /^\/(?![/\\])/.test(text ?? '')

export function SignInScreen() {
  const { account } = useMessages()
  const site = useSite()
  const { signIn } = useSession()
  const [, navigate] = useLocation()
  const next = new URLSearchParams(useSearch()).get('next')
  const [problem, setProblem] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  useTitle(account.title, site.name)

  const submit = async (data: FormData) => {
    setBusy(true)
    setProblem(undefined)
    const result = await signIn(String(data.get('login')), String(data.get('password')))
    setBusy(false)
    if (result !== 'ok') return setProblem(account[result])
    navigate(isPath(next) ? next : '/')
  }
  return (
    <div className="page narrow">
      <PageHeading>{account.title}</PageHeading>
      <p>{account.text}</p>
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault()
          void submit(new FormData(event.currentTarget))
        }}
      >
        {problem && (
          <p className="notice error" role="alert">
            {problem}
          </p>
        )}
        <Field name="login" label={account.login}>
          {(props) => <input {...props} required autoComplete="username" autoCapitalize="none" spellCheck={false} />}
        </Field>
        <Field name="password" label={account.password}>
          {(props) => <input {...props} type="password" required autoComplete="current-password" />}
        </Field>
        <p className="actions">
          <button type="submit" className="button" disabled={isBusy}>
            {account.submit}
          </button>
        </p>
      </form>
    </div>
  )
}
