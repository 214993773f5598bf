import { type FormEvent, useState } from 'react'
import { useMutation } from 'urql'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Select, TextField } from '../../components/field.tsx'
import { useToast } from '../../components/toast.tsx'
import {
  CreateUserDocument,
  UpdateUserDocument,
  type UserErrorPartsFragment,
  type UserRole,
  type UserRowFragment,
} from '../../gql/graphql.ts'
import { type ProblemText, problemOf, userErrorText } from '../../graphql/errors.ts'
import { useMessages } from '../../messages.ts'
import { useUserMessages } from './messages/messages.ts'

const roles: readonly UserRole[] = ['CONTRIBUTOR', 'AUTHOR', 'EDITOR', 'ADMINISTRATOR', 'SUBSCRIBER']

interface Props {
  /** The user to change; undefined for a new one. */
  readonly user: UserRowFragment | undefined
  readonly onClose: () => void
  readonly onCreated: (user: UserRowFragment) => void
}

export function UserDialog({ user, onClose, onCreated }: Props) {
  const messages = useMessages()
  const texts = useUserMessages()
  const toast = useToast()
  const [values, setValues] = useState({
    name: user?.name ?? '',
    login: user?.login ?? '',
    email: user?.email ?? '',
  })
  const [role, setRole] = useState(user?.role ?? 'AUTHOR')
  const [errors, setErrors] = useState<{ readonly [field: string]: ProblemText }>({})
  const [{ fetching: isCreating }, create] = useMutation(CreateUserDocument)
  const [{ fetching: isUpdating }, update] = useMutation(UpdateUserDocument)
  const set = (name: keyof typeof values) => (event: { readonly target: { readonly value: string } }) =>
    setValues({ ...values, [name]: event.target.value })

  async function save(event: FormEvent) {
    event.preventDefault()
    const input = { ...values, role, email: values.email.trim() || null }
    const { data, error } = user ? await update({ input: { ...input, id: user.id } }) : await create({ input })
    const payload = data && ('updateUser' in data ? data.updateUser : data.createUser)
    const problems = (payload?.userErrors ?? []).map((problem) => [problem.path[0] ?? '', wordsOf(problem)] as const)
    const failure = problemOf(problems.length > 0 ? [] : payload?.userErrors, error, messages)
    setErrors({ ...Object.fromEntries(problems), ...(failure !== undefined && { '': failure }) })
    if (!payload?.user) return
    if (!user) return onCreated(payload.user)
    toast({ text: texts.saved(payload.user.name) })
    onClose()
  }

  function wordsOf(problem: UserErrorPartsFragment): ProblemText {
    const [field] = problem.path
    if (field === 'login') return problem.code === 'CONFLICT' ? texts.loginTaken : texts.loginWrong
    if (field === 'name') return texts.nameWrong
    if (field === 'email') return texts.emailWrong
    if (field === 'role' && problem.code === 'CONFLICT') return texts.lastAdministrator
    return userErrorText(problem, messages)
  }

  return (
    <Dialog title={user ? texts.editTitle(user.name) : texts.new} onClose={onClose}>
      <form className="stack" noValidate onSubmit={save}>
        {errors[''] && (
          <p className="notice error" role="alert">
            {errors['']}
          </p>
        )}
        <TextField
          label={texts.name}
          help={texts.nameHelp}
          error={errors.name}
          value={values.name}
          onChange={set('name')}
          autoComplete="off"
        />
        <TextField
          label={texts.login}
          help={texts.loginHelp}
          error={errors.login}
          value={values.login}
          onChange={set('login')}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
        <TextField
          label={texts.email}
          help={texts.emailHelp}
          error={errors.email}
          type="email"
          value={values.email}
          onChange={set('email')}
          autoComplete="off"
        />
        <Select
          label={texts.role}
          help={texts.roleHelp[role]}
          error={errors.role}
          value={role}
          onChange={({ target }) => setRole(target.value as UserRole)}
        >
          {roles.map((role) => (
            <option key={role} value={role}>
              {texts.roles[role]}
            </option>
          ))}
        </Select>
        <div className="actions">
          <Button type="submit" look="primary" disabled={isCreating || isUpdating}>
            {user ? messages.save : texts.invite}
          </Button>
          <Button onClick={onClose}>{messages.cancel}</Button>
        </div>
      </form>
    </Dialog>
  )
}
