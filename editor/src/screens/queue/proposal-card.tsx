import { useId, useState } from 'react'
import { formatInstant } from '../../dates.ts'
import { languageName } from '../../messages.ts'
import { contentLanguage, tagOf } from '../../site.ts'
import { titleOf } from './differences.ts'
import { useQueueMessages } from './messages/messages.ts'
import { ProposalDetails, type ProposalProps } from './proposal-details.tsx'

/** The title of a proposal, below which its details open. */
export function ProposalCard({ proposal, isFirst, onDecided }: ProposalProps & { readonly isFirst: boolean }) {
  const texts = useQueueMessages()
  const id = useId()
  const [isOpen, setOpen] = useState(isFirst)
  const { kind, state, language, event, proposed, createdAt, contactName, contactEmail } = proposal
  const tag = tagOf(language ?? contentLanguage)
  return (
    <article className="proposal" aria-labelledby={id}>
      <h3>
        <button type="button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          <span id={id} lang={event ? tagOf(event.contentLanguage) : tag}>
            {titleOf(proposal) ?? texts.untitled}
          </span>
          <span className="badges">
            <span className={kind === 'EVENT' ? 'badge published' : 'badge'}>{texts[kind]}</span>
            {state === 'ASKED' && <span className="badge">{texts.asked}</span>}
          </span>
        </button>
      </h3>
      <p className="soft">
        {texts.from(contactName || texts.unnamed, formatInstant(createdAt))}
        {language !== contentLanguage && ` · ${texts.language(languageName(tag))}`}
        {contactEmail && (
          <>
            {' · '}
            <a
              href={`mailto:${contactEmail.split('@').map(encodeURIComponent).join('@')}?subject=${encodeURIComponent(event?.title ?? proposed.title ?? '')}`}
            >
              {texts.write(contactEmail)}
            </a>
          </>
        )}
      </p>
      {isOpen && <ProposalDetails proposal={proposal} onDecided={onDecided} />}
    </article>
  )
}
