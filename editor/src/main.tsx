import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { interfaceLanguage, loadMessages, MessagesContext } from './messages.ts'
import './styles/tokens.css'
import './styles/base.css'
import './styles/controls.css'
import './styles/layout.css'

const element = document.getElementById('app')
if (!element) throw new Error('index.html has no element with the id "app".')
const messages = await loadMessages()
document.documentElement.lang = interfaceLanguage
document.documentElement.dir = messages.direction
createRoot(element).render(
  <StrictMode>
    <MessagesContext value={messages}>
      <App />
    </MessagesContext>
  </StrictMode>,
)
