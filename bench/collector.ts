// Has the service collect its garbage, so that what is measured is what it keeps.

export interface Collector {
  collect(): Promise<void>
  close(): void
}

/** By the inspector of a process that was started with `--inspect=127.0.0.1:<port>`. */
export async function connectCollector(port: number): Promise<Collector> {
  const targets = (await (await fetch(`http://127.0.0.1:${port}/json/list`)).json()) as {
    webSocketDebuggerUrl: string
  }[]
  const socket = new WebSocket(targets[0]?.webSocketDebuggerUrl ?? '')
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve, { once: true })
    socket.addEventListener('error', reject, { once: true })
  })
  return {
    async collect() {
      const done = new Promise((resolve) => socket.addEventListener('message', resolve, { once: true }))
      socket.send(JSON.stringify({ id: 1, method: 'HeapProfiler.collectGarbage' }))
      await done
    },
    close: () => socket.close(),
  }
}
