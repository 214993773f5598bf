import { useEffect, useState } from 'react'
import { useClient } from 'urql'
import { AnnounceEditingDocument } from '../../gql/graphql.ts'

const interval = 30_000

/** Says that the form of the record is open, and returns the names of others who have it open. */
export function usePresence(record: string | undefined): readonly string[] {
  const client = useClient()
  const [names, setNames] = useState<readonly string[]>([])
  useEffect(() => {
    if (record === undefined) return
    const recordId = record
    async function announce() {
      const { data } = await client.mutation(AnnounceEditingDocument, { input: { recordId } })
      const others = data?.announceEditing?.others ?? []
      setNames([...new Set(others.flatMap(({ user }) => user?.name ?? []))])
    }
    void announce()
    const timer = setInterval(announce, interval)
    return () => {
      clearInterval(timer)
      void client.mutation(AnnounceEditingDocument, { input: { recordId, isDone: true } })
    }
  }, [client, record])
  return names
}
