import { useState } from 'react'
import { useClient } from 'urql'
import { Button } from '../../components/button.tsx'
import { Screen } from '../../components/screen.tsx'
import { SearchField } from '../../components/search-field.tsx'
import { Empty, Failure, Loading } from '../../components/states.tsx'
import { useToast } from '../../components/toast.tsx'
import { formatInstant } from '../../dates.ts'
import { CreateSignInLinkDocument, type UserRowFragment, UserRowsDocument } from '../../gql/graphql.ts'
import { problemOf } from '../../graphql/errors.ts'
import { useList } from '../../graphql/use-list.ts'
import { useMessages } from '../../messages.ts'
import { useRight, useSession } from '../../session.tsx'
import { NotFoundScreen } from '../not-found.tsx'
import { DeleteUserDialog } from './delete-user-dialog.tsx'
import { type Link, LinkDialog } from './link-dialog.tsx'
import { useUserMessages } from './messages/messages.ts'
import { UserDialog } from './user-dialog.tsx'
import '../../styles/cards.css'

type Opened =
  | { readonly kind: 'new' }
  | { readonly kind: 'edit' | 'delete'; readonly user: UserRowFragment }
  | { readonly kind: 'link'; readonly name: string; readonly link: Link }

export function UsersScreen() {
  return useRight('MANAGE_USERS') ? <Users /> : <NotFoundScreen />
}

function Users() {
  const messages = useMessages()
  const texts = useUserMessages()
  const client = useClient()
  const toast = useToast()
  const [search, setSearch] = useState('')
  const [opened, setOpened] = useState<Opened>()
  const {
    list: users,
    error,
    retry,
    showMore,
  } = useList({
    query: UserRowsDocument,
    variables: { search: search || undefined },
    listOf: ({ users }) => users,
  })

  async function createLink({ id, name }: Pick<UserRowFragment, 'id' | 'name'>) {
    const { data, error } = await client.mutation(CreateSignInLinkDocument, { input: { userId: id } })
    const problem = problemOf(data?.createSignInLink?.userErrors, error, messages)
    if (problem !== undefined) toast({ text: problem, isError: true })
    else if (data?.createSignInLink) setOpened({ kind: 'link', name, link: data.createSignInLink })
  }

  const close = () => setOpened(undefined)
  return (
    <Screen
      title={messages.screens.users}
      actions={
        <Button look="primary" onClick={() => setOpened({ kind: 'new' })}>
          {texts.new}
        </Button>
      }
    >
      <search className="narrow-form">
        <SearchField label={texts.search} placeholder={texts.searchHelp} value={search} onSearch={setSearch} />
      </search>
      {error && <Failure error={error} onRetry={retry} />}
      {!users && !error && <Loading />}
      {users?.totalCount === 0 && (
        <Empty>
          <p>{texts.none}</p>
        </Empty>
      )}
      {users && users.totalCount > 0 && (
        <ul className="cards" aria-label={messages.screens.users}>
          {users.nodes.map((user) => (
            <UserCard key={user.id} user={user} onOpen={setOpened} onLink={() => createLink(user)} />
          ))}
        </ul>
      )}
      {showMore && <Button onClick={showMore}>{messages.more}</Button>}
      {(opened?.kind === 'new' || opened?.kind === 'edit') && (
        <UserDialog
          user={opened.kind === 'edit' ? opened.user : undefined}
          onClose={close}
          onCreated={(user) => {
            close()
            createLink(user)
          }}
        />
      )}
      {opened?.kind === 'delete' && <DeleteUserDialog user={opened.user} onClose={close} />}
      {opened?.kind === 'link' && <LinkDialog name={opened.name} link={opened.link} onClose={close} />}
    </Screen>
  )
}

interface CardProps {
  readonly user: UserRowFragment
  readonly onOpen: (opened: Opened) => void
  readonly onLink: () => void
}

function UserCard({ user, onOpen, onLink }: CardProps) {
  const texts = useUserMessages()
  const { viewer } = useSession()
  const isSelf = user.id === viewer.id
  return (
    <li className="card">
      <div className="card-main">
        <h2>
          {user.name} {isSelf && <span className="badge">{texts.you}</span>}
        </h2>
        <p className="soft">{[user.login, user.email].filter(Boolean).join(' · ')}</p>
        <p>
          <b>{user.role && texts.roles[user.role]}</b>
          <span className="soft"> · {stateOf(user, texts)}</span>
        </p>
      </div>
      <div className="actions">
        <Button aria-label={texts.editTitle(user.name)} onClick={() => onOpen({ kind: 'edit', user })}>
          {texts.edit}
        </Button>
        {!isSelf && (
          <>
            <Button aria-label={texts.linkOf(user.name)} onClick={onLink}>
              {texts.link}
            </Button>
            <Button
              look="danger"
              aria-label={texts.removeTitle(user.name)}
              onClick={() => onOpen({ kind: 'delete', user })}
            >
              {texts.remove}
            </Button>
          </>
        )}
      </div>
    </li>
  )
}

/** When somebody used the account, or what is missing before that. */
function stateOf({ credentials }: UserRowFragment, texts: ReturnType<typeof useUserMessages>): string {
  const all = credentials ?? []
  const last = all
    .flatMap(({ lastUsedAt }) => lastUsedAt ?? [])
    .toSorted()
    .at(-1)
  if (last !== undefined) return `${texts.lastUse} ${formatInstant(last)}`
  const valid = all.filter(({ revokedAt, expiresAt }) => !revokedAt && !(expiresAt && new Date(expiresAt) < new Date()))
  if (valid.some(({ kind }) => kind !== 'SIGN_IN_LINK')) return `${texts.lastUse} ${texts.never}`
  return valid.length > 0 ? texts.invited : texts.notInvited
}
