import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { SessionProvider } from './session.tsx'
import './styles/tokens.css'
import './styles/base.css'
import './styles/layout.css'
import './styles/cards.css'
import './styles/month.css'
import './styles/event.css'
import './styles/forms.css'

const element = document.getElementById('app')
if (!element) throw new Error('index.html has no element with the id "app".')
createRoot(element).render(
  <StrictMode>
    <SessionProvider>
      <App />
    </SessionProvider>
  </StrictMode>,
)
