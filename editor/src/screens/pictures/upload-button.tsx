import { useState } from 'react'
import { useClient } from 'urql'
import { FileButton } from '../../components/file-button.tsx'
import { useToast } from '../../components/toast.tsx'
import { UploadFormImageDocument } from '../../gql/graphql.ts'
import { problemOf } from '../../graphql/errors.ts'
import { useMessages } from '../../messages.ts'
import { usePictureMessages } from './messages/messages.ts'

/** Uploads several files, one after the other. */
export function UploadButton() {
  const messages = useMessages()
  const texts = usePictureMessages()
  const client = useClient()
  const toast = useToast()
  const [progress, setProgress] = useState<string>()
  async function upload(files: readonly File[]) {
    const problems: string[] = []
    for (const [index, file] of files.entries()) {
      setProgress(texts.uploading(index, files.length))
      const { data, error } = await client.mutation(UploadFormImageDocument, { input: { file } })
      const problem = problemOf(data?.uploadImage?.userErrors, error, messages)
      if (problem !== undefined) problems.push(`${file.name}: ${problem}`)
    }
    setProgress(undefined)
    toast({
      text: texts.uploaded(files.length - problems.length),
      ...(problems.length > 0 && { isError: true, details: problems }),
    })
  }
  return (
    <>
      <span role="status">{progress}</span>
      <FileButton look="primary" label={texts.upload} multiple isBusy={progress !== undefined} onFiles={upload} />
    </>
  )
}
