import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { TextArea } from '../../components/field.tsx'
import { Screen } from '../../components/screen.tsx'
import { useMessages } from '../../messages.ts'
import { useRight } from '../../session.tsx'
import { NotFoundScreen } from '../not-found.tsx'
import { useImportMessages } from './messages/messages.ts'
import { Preview } from './preview.tsx'
import { decode, readSheet, type Sheet, type SheetProblem } from './read-sheet.ts'
import '../../styles/cards.css'
import './import.css'

export function ImportScreen() {
  return useRight('WRITE') ? <Import /> : <NotFoundScreen />
}

function Import() {
  const messages = useMessages()
  const texts = useImportMessages()
  const [sheet, setSheet] = useState<Sheet>()
  const [problem, setProblem] = useState<SheetProblem>()
  const [pasted, setPasted] = useState('')

  function read(text: string | SheetProblem) {
    const found = text in texts.sheetProblems ? (text as SheetProblem) : readSheet(text)
    setSheet(typeof found === 'string' ? undefined : found)
    setProblem(typeof found === 'string' ? found : undefined)
  }

  return (
    <Screen
      title={messages.screens.import}
      actions={sheet && <Button onClick={() => setSheet(undefined)}>{texts.other}</Button>}
    >
      {problem && (
        <p className="notice error" role="alert">
          {texts.sheetProblems[problem]}
        </p>
      )}
      {sheet ? (
        <Preview sheet={sheet} />
      ) : (
        <div className="stack source">
          <p>{texts.intro}</p>
          <label className="file">
            <span>{texts.file}</span>
            <input
              type="file"
              accept=".csv,.tsv,.txt,text/csv"
              onChange={async ({ target }) => {
                const [file] = target.files ?? []
                if (file) read(decode(new Uint8Array(await file.arrayBuffer())))
              }}
            />
          </label>
          <form
            className="stack"
            onSubmit={(event) => {
              event.preventDefault()
              read(pasted)
            }}
          >
            <TextArea
              label={texts.paste}
              help={texts.pasteHelp}
              rows={6}
              value={pasted}
              onChange={({ target }) => setPasted(target.value)}
            />
            <div className="actions">
              <Button type="submit" look="primary" disabled={pasted.trim() === ''}>
                {texts.read}
              </Button>
            </div>
          </form>
        </div>
      )}
    </Screen>
  )
}
