import { useState } from 'react'
import { useClient, useQuery } from 'urql'
import { Link, useLocation, useSearch } from 'wouter'
import { eventHref } from '../components/event-card.tsx'
import { Field } from '../components/field.tsx'
import { Form, noProblems, type Problems, problemsOf } from '../components/form.tsx'
import { Html } from '../components/html.tsx'
import { ErrorState, NotFound, PageHeading, useTitle } from '../components/states.tsx'
import { graphql } from '../gql/gql.ts'
import type { TranslationSourceQuery } from '../gql/graphql.ts'
import { type Language, languageOfCode, languages, useLanguage } from '../languages.ts'
import { useSite } from '../site.ts'

const sourceQuery = graphql(`
  query TranslationSource($id: ID!) @inContext(forEditing: true) {
    event(id: $id) {
      id
      contentLanguage
      title
      url
      modifiedAt
      viewerCanUpdate
      languages {
        tag
        title
      }
      translations {
        language
        name
        excerpt
        description
        descriptionHtml
      }
    }
  }
`)

const translateMutation = graphql(`
  mutation TranslateEvent($input: UpdateEventInput!) {
    updateEvent(input: $input) {
      event {
        ...EventCard
        modifiedAt
        translations {
          language
          url
        }
      }
      userErrors {
        ...UserErrorParts
      }
    }
  }
`)

type Source = NonNullable<TranslationSourceQuery['event']>

export function TranslateScreen({ id }: { readonly id: string }) {
  const { messages } = useLanguage()
  const site = useSite()
  const [{ data, error, fetching }, reload] = useQuery({
    query: sourceQuery,
    variables: { id },
    requestPolicy: 'network-only',
  })
  const event = data?.event
  const refresh = () => reload({ requestPolicy: 'network-only' })
  useTitle(event ? messages.form.translateTitle(event.title) : undefined, site.name)
  if (!event && fetching) return <p className="page narrow">{messages.loading}</p>
  if (!event)
    return error?.networkError ? <ErrorState error={error} retry={refresh} /> : <NotFound siteName={site.name} />
  return (
    <div className="page">
      <PageHeading>{messages.form.translateTitle(event.title)}</PageHeading>
      {event.viewerCanUpdate ? (
        <Translation event={event} refresh={refresh} />
      ) : (
        <p className="notice">
          {messages.form.signInFirst} <Link href={`/sign-in/?next=/translate/${id}/`}>{messages.signIn}</Link>
        </p>
      )}
    </div>
  )
}

function Translation({ event, refresh }: { readonly event: Source; readonly refresh: () => void }) {
  const { form: texts } = useLanguage().messages
  const original = languageOfCode(event.languages.title)
  const others = languages.filter((language) => language !== original)
  const tagInQuery = new URLSearchParams(useSearch()).get('into')
  const target = others.find(({ tag }) => tag === tagInQuery) ?? others[0] ?? original
  return (
    <>
      <nav className="tabs" aria-label={texts.into}>
        {others.map((language) => (
          <Link
            key={language.tag}
            href={`?into=${language.tag}`}
            replace
            aria-current={language === target ? 'true' : undefined}
          >
            {language.name}
          </Link>
        ))}
      </nav>
      <div className="side-by-side">
        <OriginalText event={event} language={original} />
        {/* Another version of the event is another form. */}
        <TranslationForm key={`${target.tag} ${event.modifiedAt}`} {...{ event, target, refresh }} />
      </div>
    </>
  )
}

const textsIn = (event: Source, language: Language) =>
  event.translations.find((text) => text.language === language.code)

function OriginalText({ event, language }: { readonly event: Source; readonly language: Language }) {
  const { messages } = useLanguage()
  const text = textsIn(event, language)
  return (
    <section className="original" lang={language.tag}>
      <h2 lang={undefined}>
        {messages.form.original}: {language.name}
      </h2>
      <p className="original-title">{text?.name}</p>
      {text?.excerpt && <p>{text.excerpt}</p>}
      {text?.descriptionHtml && <Html html={text.descriptionHtml} lang={language.tag} />}
    </section>
  )
}

interface FormProps {
  readonly event: Source
  readonly target: Language
  readonly refresh: () => void
}

function TranslationForm({ event, target, refresh }: FormProps) {
  const { form: texts } = useLanguage().messages
  const client = useClient()
  const [, navigate] = useLocation()
  const [problems, setProblems] = useState<Problems>(noProblems)
  const [isBusy, setBusy] = useState(false)
  const text = textsIn(event, target)
  const conflict = problems.errors.find(({ code }) => code === 'CONFLICT')

  const submit = async (form: FormData, action: string | undefined) => {
    setBusy(true)
    const value = (name: string) => String(form.get(name) ?? '').trim()
    const translation = {
      language: target.code,
      name: value('name'),
      excerpt: value('excerpt') || null,
      description: value('description') || null,
    }
    // Only "save anyway" accepts the version that was not shown here.
    const seen = action === 'anyway' && conflict?.modifiedAt ? conflict.modifiedAt : event.modifiedAt
    const input = { id: event.id, ifUnmodifiedSince: seen, translations: [translation] }
    const { data, error } = await client.mutation(translateMutation, { input }).toPromise()
    const { event: saved, userErrors } = data?.updateEvent ?? {}
    setBusy(false)
    if (!saved) return setProblems(problemsOf(userErrors, error))
    const page = saved.translations.find(({ language }) => language === target.code)?.url ?? saved.url
    navigate(eventHref(page))
  }

  const { errors } = problems
  return (
    <Form problems={conflict ? noProblems : problems} onSubmit={(form, action) => void submit(form, action)}>
      <h2>{target.name}</h2>
      {conflict && (
        <div className="notice error" role="alert">
          <p>
            <b>{texts.conflict}</b>
          </p>
          <p>{conflict.message}</p>
          <p className="actions">
            <button type="button" className="button" onClick={refresh}>
              {texts.loadTheirs}
            </button>
            <button type="submit" value="anyway" className="button secondary">
              {texts.saveAnyway}
            </button>
          </p>
        </div>
      )}
      <Field name="name" label={texts.title} errors={errors}>
        {(props) => <input {...props} defaultValue={text?.name ?? ''} lang={target.tag} />}
      </Field>
      <Field name="excerpt" label={texts.excerpt} errors={errors}>
        {(props) => <textarea {...props} rows={3} defaultValue={text?.excerpt ?? ''} lang={target.tag} />}
      </Field>
      <Field name="description" label={texts.description} errors={errors}>
        {(props) => <textarea {...props} rows={10} defaultValue={text?.description ?? ''} lang={target.tag} />}
      </Field>
      <p className="actions">
        <button type="submit" className="button" disabled={isBusy}>
          {isBusy ? texts.saving : texts.saveTranslation}
        </button>
      </p>
    </Form>
  )
}
