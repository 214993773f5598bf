import type { Widened } from '../../../messages/en.ts'

export const en = {
  title: 'Pictures',
  search: 'Search',
  searchHelp: 'Title, text or credit',
  filter: 'Show',
  filters: { all: 'All pictures', missing: 'Without alternative text', unused: 'Not used' },
  count: (count: number) => (count === 1 ? '1 picture' : `${count} pictures`),
  none: 'No pictures match.',
  more: 'Show more pictures',
  upload: 'Upload pictures',
  uploading: (done: number, total: number) => `Uploading: ${done} of ${total}`,
  uploaded: (count: number) => (count === 1 ? '1 picture is uploaded.' : `${count} pictures are uploaded.`),
  noAlt: 'No alternative text',
  edit: 'Edit',
  editTitle: (title: string) => `Texts of “${title}”`,
  alt: 'Alternative text',
  altHelp: 'What the picture shows, for people who do not see it.',
  caption: 'Caption',
  credit: 'Credit',
  inLanguage: (label: string, language: string) => `${label} (${language})`,
  saved: 'The texts are saved.',
  delete: 'Delete',
  deleteTitle: (title: string) => `Delete “${title}”`,
  deleteText: 'The picture is deleted for good.',
  inUse: 'The picture is used:',
  deleted: 'The picture is deleted.',
} as const

export type PictureMessages = Widened<typeof en>
