// Triggers garbage collection in the service, so that measurements do not include garbage.

export interface Collector {
  collect(): Promise<void>
  close(): void
}

/** Connects to the inspector of a process that was started with `--inspect=127.0.0.1:<port>`. */
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
