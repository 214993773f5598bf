// Tables of the documents that are written from the code: `npx vitest run test/docs/references.test.ts -u` renews them.
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Argument, Command, Option } from 'commander'
import { expect, test } from 'vitest'
import { program } from '../../src/tools/program.ts'
import { type SheetKind, sheetKinds } from '../../src/tools/spreadsheets/kinds.ts'

/** The text of a document up to a heading, which a person wrote, and the rest, which a test writes. */
async function expectDocument(file: string, heading: string, rest: string): Promise<void> {
  const [start = ''] = readFileSync(file, 'utf8').split(`\n${heading}\n`, 1)
  await expect(`${start}\n${heading}\n\n${rest}`).toMatchFileSnapshot(resolve(file))
}

const table = (headings: readonly string[], rows: readonly (readonly string[])[]): string =>
  [headings, headings.map(() => '---'), ...rows].map((cells) => `| ${cells.map(escapeCell).join(' | ')} |\n`).join('')

const escapeCell = (text: string) => text.replace(/\|/g, '\\|')

const sentence = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`

/** All commands that do something, with the words that call them. */
const commandsOf = (command: Command, words: readonly string[] = []): { name: string; command: Command }[] =>
  command.commands.flatMap((each) => {
    const path = [...words, each.name()]
    return each.commands.length > 0 ? commandsOf(each, path) : [{ name: path.join(' '), command: each }]
  })

const commands = commandsOf(program)

const argumentText = (argument: Argument) => (argument.required ? `<${argument.name()}>` : `[${argument.name()}]`)

function meaning({ description, argChoices, defaultValue }: Argument | Option): string {
  const choices = argChoices ? `: ${argChoices.map((choice) => `\`${choice}\``).join(', ')}` : ''
  const byDefault = typeof defaultValue === 'string' ? ` (default: \`${defaultValue}\`)` : ''
  return `${description}${choices}${byDefault}`
}

test('docs/command-line.md has every command with its arguments and options', async () => {
  const sections = commands.map(({ name, command }) => {
    const rows = [
      ...command.registeredArguments.map((argument) => [`\`${argumentText(argument)}\``, meaning(argument)]),
      ...command.options.map((option) => {
        return [`\`${option.flags}\``, `${option.mandatory ? 'required: ' : ''}${meaning(option)}`]
      }),
    ]
    return `### ${name}\n\n${sentence(command.description())}\n\n${table(['Argument or option', 'Meaning'], rows)}`
  })
  await expectDocument('docs/command-line.md', '## Commands', sections.join('\n'))
})

test('commands and their options are described alike', () => {
  for (const { name, command } of commands) {
    expect(command.description(), name).toMatch(/^[a-z].*[^.]$/s)
    expect(
      command.options.map(({ long }) => long),
      name,
    ).toContain('--json')
    for (const { description, flags } of command.options) {
      expect(description, `${name} ${flags}`).toMatch(/^\S.*[^.]$/s)
      expect(flags, name).toMatch(/^(-[a-z], )?--[a-z]+(-[a-z]+)*( [<[][a-z…=,.-]+[>\]])?$/)
    }
    for (const argument of command.registeredArguments) {
      expect(argument.description, `${name} ${argument.name()}`).toMatch(/^\S.*[^.]$/s)
    }
  }
})

test('docs/spreadsheets.md has every column of every kind of record', async () => {
  const sections = Object.entries(sheetKinds).map(([name, kind]: [string, SheetKind]) => {
    const common = [
      ['id', `ID of the ${kind.record}; empty for a new one`],
      ...[...kind.texts].map(([column, field]) => [column, textMeanings[field]]),
    ]
    const own = kind.columns.map(({ name, description }) => [name, description])
    const custom = [['custom:key', 'the custom field `key`; text, or JSON if the stored value is not a text']]
    const modified = [['modified', 'when it was last modified: an import fails if it was modified later']]
    const rows = [...common, ...own, ...(name === 'events' ? custom : []), ...modified]
    return `### ${sentence(name).slice(0, -1)}\n\n${table(
      ['Column', 'Content'],
      rows.map(([column = '', text = '']) => [`\`${column}\``, text]),
    )}`
  })
  await expectDocument('docs/spreadsheets.md', '## Columns', sections.join('\n'))
})

const textMeanings = {
  name: 'one line of text',
  slug: 'name in URLs; empty: stays, or results from the title or name of a new record',
  excerpt: 'a short description, HTML',
  description: 'HTML, or text with blank lines between paragraphs',
}
