import { useState } from 'react'
import { useClient } from 'urql'
import { ConfirmDialog } from '../../components/dialog.tsx'
import { useToast } from '../../components/toast.tsx'
import { DeletePictureDocument, type PictureRowFragment, PictureUsesDocument } from '../../gql/graphql.ts'
import { problemOf } from '../../graphql/errors.ts'
import { useMessages } from '../../messages.ts'
import { usePictureMessages } from './messages/messages.ts'
import { Uses } from './uses.tsx'

interface Props {
  readonly picture: PictureRowFragment
  readonly onClose: () => void
}

/** Deletes a picture. If it is used, says by what, and asks again. */
export function DeleteDialog({ picture, onClose }: Props) {
  const messages = useMessages()
  const texts = usePictureMessages()
  const client = useClient()
  const toast = useToast()
  const [isBusy, setBusy] = useState(false)
  const [used, setUsed] = useState<PictureRowFragment>()
  async function remove() {
    if (isBusy) return
    setBusy(true)
    const { data, error } = await client.mutation(DeletePictureDocument, {
      input: { id: picture.id, force: used !== undefined },
    })
    const problems = data?.deleteImage?.userErrors ?? []
    if (problems.some(({ code }) => code === 'CONFLICT')) {
      const fresh = await client.query(PictureUsesDocument, { id: picture.id }, { requestPolicy: 'network-only' })
      setUsed(fresh.data?.image ?? picture)
      setBusy(false)
      return
    }
    onClose()
    const problem = problemOf(problems, error, messages)
    toast(problem ? { text: problem, isError: true } : { text: texts.deleted })
  }
  return (
    <ConfirmDialog
      key={used ? 'used' : 'unused'}
      title={used ? texts.usedTitle(picture.title) : texts.deleteTitle(picture.title)}
      text={used ? texts.usedText : texts.deleteText}
      action={used ? texts.deleteAnyway : texts.delete}
      onClose={onClose}
      onConfirm={remove}
    >
      {used && <Uses picture={used} />}
    </ConfirmDialog>
  )
}
