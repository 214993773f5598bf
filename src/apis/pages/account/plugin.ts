// Routes of the pages with forms: to sign in and out, and to propose events, in each language of the site.
import type { FastifyInstance } from 'fastify'
import qs from 'qs'
import type { Environment } from '../../../service/context.ts'
import type { Execute } from '../../../service/graphql/execute.ts'
import { oidcCallbackPath } from '../../../service/http/oidc.ts'
import { sendErrorPage } from '../error-page.ts'
import { ownProposalPage, proposePage } from '../propose/propose.ts'
import { accountPage } from './account.ts'
import { type FormPage, handleForm } from './form-page.ts'
import { forgottenPage, fromIssuerPage, signInLinkPage, signInPage, signOutPage, toIssuerPage } from './sign-in.ts'

export function accountPlugin(app: FastifyInstance, environment: Environment, execute: Execute): void {
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: 50_000 },
      async (_request: unknown, text: string) => qs.parse(text),
    )
    scope.setErrorHandler<{ statusCode?: number }>(({ statusCode }, request, reply) =>
      sendErrorPage(statusCode ?? 500, request, reply, environment),
    )
    const { smtpUrl, oidcClientId, proposals } = environment.settings
    const route = (page: FormPage, url = page.path) =>
      scope.route({
        method: page.visit ? ['GET'] : ['GET', 'POST'],
        url,
        config: { hasLanguageRoots: true, acceptsSession: () => page.isPersonal === true },
        handler: (request, reply) => handleForm(page, { environment, execute }, request, reply),
      })
    for (const page of [signInPage, signInLinkPage, signOutPage, accountPage]) route(page)
    if (smtpUrl) route(forgottenPage)
    if (proposals) for (const page of [proposePage, ownProposalPage]) route(page)
    if (!oidcClientId) return
    route(toIssuerPage, '/sign-in/oidc')
    route(fromIssuerPage, oidcCallbackPath)
  })
}
