// The document of a widget: a part of a page without the frame of the site, for an iframe of another site.
import { html } from 'ghtml'
import type { Settings } from '../../basics/env.ts'
import { readAssets } from '../pages/assets.ts'
import { directionAttribute } from '../pages/messages.ts'
import { filePath } from '../pages/page.ts'

/** Values of the query parameter `theme`: the colour schemes of a widget. */
export const themes = ['light', 'dark'] as const
export type Theme = (typeof themes)[number]

export interface Widget {
  readonly title: string
  readonly url: string
  readonly body: string
}

interface WidgetOptions {
  readonly settings: Settings
  readonly language: string
  /** The colour scheme of the widget; undefined for the scheme that the browser prefers. */
  readonly theme: Theme | undefined
}

/** Renders the HTML document. Links in the document open in a new tab, unless a link has its own `target`. */
export const renderWidget = ({ title, url, body }: Widget, { settings, language, theme }: WidgetOptions): string =>
  html`<!doctype html>
<html lang="${language}"!${directionAttribute(language)}!${theme === undefined ? '' : html` data-theme="${theme}"`}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<base target="_blank">
<link rel="canonical" href="${url}">
<link rel="stylesheet" href="${filePath(readAssets(settings).stylePath, settings)}">
</head>
<body class="embed">
<main>
!${body}
</main>
</body>
</html>
`
