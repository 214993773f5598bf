import { useState } from 'react'
import { useClient } from 'urql'
import { ConfirmDialog } from '../../components/dialog.tsx'
import { useToast } from '../../components/toast.tsx'
import { DeletePictureDocument, type PictureRowFragment } from '../../gql/graphql.ts'
import { failureText } from '../../graphql/errors.ts'
import { useMessages } from '../../messages.ts'
import { usePictureMessages } from './messages/messages.ts'

interface Props {
  readonly picture: PictureRowFragment
  readonly onClose: () => void
}

/** Deletes a picture that nothing uses; otherwise says what uses it. */
export function DeleteDialog({ picture, onClose }: Props) {
  const messages = useMessages()
  const texts = usePictureMessages()
  const client = useClient()
  const toast = useToast()
  const [isBusy, setBusy] = useState(false)
  async function remove() {
    if (isBusy) return
    setBusy(true)
    const { data, error } = await client.mutation(DeletePictureDocument, { input: { id: picture.id } })
    const problems = data?.deleteImage?.userErrors ?? []
    onClose()
    if (error) toast({ text: failureText(error, messages), isError: true })
    else if (problems.length === 0) toast({ text: texts.deleted })
    else toast({ text: texts.inUse, isError: true, details: problems.map(({ message }) => message) })
  }
  return (
    <ConfirmDialog
      title={texts.deleteTitle(picture.title)}
      text={texts.deleteText}
      action={texts.delete}
      onClose={onClose}
      onConfirm={remove}
    />
  )
}
