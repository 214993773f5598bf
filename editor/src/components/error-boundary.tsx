import { Component, type ReactNode } from 'react'
import { type Messages, MessagesContext } from '../messages.ts'

/** Shows a sentence and a way out if a screen fails, for example because a new version of the service has other files. */
export class ErrorBoundary extends Component<{ readonly children: ReactNode }, { readonly hasFailed: boolean }> {
  static override contextType = MessagesContext
  declare context: Messages
  override state = { hasFailed: false }
  static getDerivedStateFromError = () => ({ hasFailed: true })
  override render() {
    if (!this.state.hasFailed) return this.props.children
    const { errors } = this.context
    return (
      <div className="notice error" role="alert">
        <p>{errors.screen}</p>
        <button type="button" className="button" onClick={() => location.reload()}>
          {errors.reload}
        </button>
      </div>
    )
  }
}
