// The records that use an image, as fields of the image.
import { kinds, postKinds } from '../../kinds.ts'
import { addConnectionField } from '../list/record-connection.ts'
import { recordListOf } from '../list/record-queries.ts'
import { imageUsesFilter } from '../rules/visibility.ts'
import { Image } from './type.ts'

for (const kind of postKinds) {
  const { plural } = kinds[kind]
  const hidden = kind === 'event' ? ' or hidden from lists' : ''
  addConnectionField(Image, plural, {
    kind,
    list: recordListOf(kind),
    description: `The ${plural} that show the image, also those in the trash${hidden}, as far as you may list them. Leaves out those whose image you may not see.`,
    ofParent: (imageId, context) => ({ AND: [imageUsesFilter(kind, context), { imageId }] }),
    withUnlisted: true,
  })
}
