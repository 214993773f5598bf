import { useState } from 'react'
import { useMutation, useQuery } from 'urql'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Select } from '../../components/field.tsx'
import { SearchField } from '../../components/search-field.tsx'
import { useToast } from '../../components/toast.tsx'
import { DeleteUserDocument, type UserRowFragment, UserRowsDocument } from '../../gql/graphql.ts'
import { type ProblemText, problemOf } from '../../graphql/errors.ts'
import { useMessages } from '../../messages.ts'
import { useSession } from '../../session.tsx'
import { useUserMessages } from './messages/messages.ts'

interface Props {
  readonly user: UserRowFragment
  readonly onClose: () => void
}

export function DeleteUserDialog({ user, onClose }: Props) {
  const messages = useMessages()
  const texts = useUserMessages()
  const toast = useToast()
  const { viewer } = useSession()
  const [search, setSearch] = useState('')
  const [{ data }] = useQuery({ query: UserRowsDocument, variables: { search: search || undefined } })
  const users = data?.users
  const [heir, setHeir] = useState(viewer.id)
  const [problem, setProblem] = useState<ProblemText>()
  const [{ fetching }, remove] = useMutation(DeleteUserDocument)
  const others = (users?.nodes ?? []).filter(({ id }) => id !== user.id && id !== viewer.id)

  async function confirm() {
    const { data, error } = await remove({ input: { id: user.id, contentTo: heir } })
    const failure = problemOf(data?.deleteUser?.userErrors, error, messages)
    setProblem(failure)
    if (failure !== undefined) return
    toast({ text: texts.removed(user.name, data?.deleteUser?.recordsHandedOver ?? 0) })
    onClose()
  }

  return (
    <Dialog title={texts.removeTitle(user.name)} onClose={onClose}>
      <p>{texts.removeText}</p>
      {problem && (
        <p className="notice error" role="alert">
          {problem}
        </p>
      )}
      {(search !== '' || (users && users.totalCount > users.nodes.length)) && (
        <SearchField
          label={texts.search}
          placeholder={texts.searchHelp}
          value={search}
          onSearch={(text) => {
            setSearch(text)
            setHeir(viewer.id)
          }}
        />
      )}
      <Select label={texts.heir} value={heir} onChange={({ target }) => setHeir(target.value)}>
        <option value={viewer.id}>
          {viewer.name} ({texts.you})
        </option>
        {others.map(({ id, name, login }) => (
          <option key={id} value={id}>
            {name} ({login})
          </option>
        ))}
      </Select>
      <div className="actions">
        <Button look="danger" disabled={fetching} onClick={confirm}>
          {texts.remove}
        </Button>
        <Button onClick={onClose}>{messages.cancel}</Button>
      </div>
    </Dialog>
  )
}
