// Routes of the pages on which people sign in and out, in each language of the site.
import type { FastifyInstance } from 'fastify'
import qs from 'qs'
import type { Environment } from '../../../service/context.ts'
import type { Execute } from '../../../service/graphql/execute.ts'
import { sendErrorPage } from '../error-page.ts'
import { accountPage } from './account.ts'
import { forgottenPage } from './forgotten.ts'
import { handleForm } from './form-page.ts'
import { signInPage } from './sign-in.ts'
import { signInLinkPage } from './sign-in-link.ts'
import { signOutPage } from './sign-out.ts'

export function accountPlugin(app: FastifyInstance, environment: Environment, execute: Execute): void {
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: 10_000 },
      async (_request: unknown, text: string) => qs.parse(text),
    )
    scope.setErrorHandler<{ statusCode?: number }>(({ statusCode }, request, reply) =>
      sendErrorPage(statusCode ?? 500, request, reply, environment),
    )
    const mailed = environment.settings.smtpUrl ? [forgottenPage] : []
    for (const page of [signInPage, signInLinkPage, ...mailed, signOutPage, accountPage]) {
      scope.route({
        method: ['GET', 'POST'],
        url: page.path,
        config: { hasLanguageRoots: true, acceptsSession: () => page.isPersonal === true },
        handler: (request, reply) => handleForm(page, { environment, execute }, request, reply),
      })
    }
  })
}
