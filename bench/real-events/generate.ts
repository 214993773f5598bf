// Generates events.json from a folder of public event data (see SOURCES.md): node bench/real-events/generate.ts <raw-folder>
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fitting, inLangs, pick } from './generate/choose.ts'
import type { Draft } from './generate/draft.ts'
import { fromMadrid } from './generate/madrid.ts'
import { fromOpenAgenda } from './generate/open-agenda.ts'
import { rows } from './generate/raw.ts'
import { sampleText } from './generate/sample.ts'

// Poor machine translations in the source, which are not used in the first weeks.
const poorlyTranslated = /^(jep(59107970|52795663|20936032|52907535|65571290|7302483|33261904|61220279)|many93795127)$/

const folder = process.argv[2] ?? '.'
const read = (name: string): unknown => JSON.parse(readFileSync(join(folder, name), 'utf8').replace(/\p{Cc}/gu, ' '))
const openAgenda = (source: string, list: unknown): Draft[] =>
  rows({ list }, 'list').map((event) => fromOpenAgenda(source, event))

const many = read('openagenda/manyEvents.response.json')
const comics = openAgenda('bd', read('openagenda/bd2020.events.json'))
const trilingual = pick(
  inLangs(
    [
      ...openAgenda('jep', rows(read('openagenda/jep-2018-grand-est.json'), 'events')),
      ...comics,
      ...openAgenda('many', [...rows(many, 'from0.events'), ...rows(many, 'from20.events')]),
    ],
    'fr,en,es',
  ),
  99,
)

const early = trilingual.filter((draft) => !poorlyTranslated.test(draft.id)).slice(0, 32)
const groups = [
  trilingual.filter((draft) => !early.includes(draft)),
  fitting(comics, 'fr,en', 170),
  fitting(openAgenda('bordeaux', read('openagenda/bordeaux-metropole.events.json')), 'fr', 60),
  fitting(rows(read('madrid-agenda/madrid-events.json'), '@graph').map(fromMadrid), 'es', 125),
]

const rest = groups.flatMap((group, groupIndex) =>
  group.map((draft, index) => ({ draft, week: 3 + Math.floor(((index + groupIndex / 4) * 50) / group.length) })),
)

const planned = [...early.map((draft, index) => ({ draft, week: index % 7 < 4 ? 1 : 2 })), ...rest].sort(
  (left, right) => left.week - right.week,
)

writeFileSync(join(import.meta.dirname, 'events.json'), sampleText(planned))
