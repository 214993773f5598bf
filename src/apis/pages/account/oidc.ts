// Pages that send people to the OIDC issuer of the site, and to which the issuer sends them back. They show only what went wrong.
import { DomainError } from '../../../basics/errors.ts'
import { beginOidc, finishOidc } from '../../../service/http/oidc.ts'
import { type FormPage, FormProblem, type FormRequest, nextPath } from './form-page.ts'
import { signInPage } from './sign-in.ts'

const step = (take: (form: FormRequest) => Promise<string>): FormPage => ({
  ...signInPage,
  visit: (form) =>
    take(form).catch((error: unknown) => {
      const isRefused = error instanceof DomainError && error.code === 'UNAUTHENTICATED'
      throw isRefused ? new FormProblem(form.messages.account.oidcFailed) : error
    }),
})

export const toIssuerPage = step((form) => beginOidc(form.environment, form.reply, nextPath(form)))

export const fromIssuerPage = step(async ({ environment, settings, request, reply }) => {
  const next = await finishOidc(environment, request, reply)
  return nextPath({ settings, field: () => next })
})
