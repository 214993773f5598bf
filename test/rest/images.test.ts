import { describe, expect, it } from 'vitest'
import { serializeImage } from '../../src/apis/rest/posts.ts'
import { image, json } from './fragments.ts'

it('an image has exactly the fields of the contract', () => {
  expect(json(serializeImage(image))).toStrictEqual({
    url: 'https://images.test/poster.JPEG?v=2',
    id: 77,
    extension: 'jpg',
    width: 1200,
    height: 800,
    filesize: 12_345,
    sizes: {
      thumbnail: {
        width: 150,
        height: 100,
        'mime-type': 'image/jpeg',
        filesize: 999,
        url: 'https://images.test/small.jpg',
      },
      medium: { width: 300, height: 200, 'mime-type': 'image/jpeg', url: 'https://images.test/medium.jpg' },
    },
  })
})

it('an image with only a URL omits all other fields', () => {
  const bare = { ...image, url: 'https://images.test/a.png', width: null, height: null, fileSize: null, sizes: [] }
  expect(json(serializeImage(bare))).toStrictEqual({ url: 'https://images.test/a.png', id: 77, extension: 'png' })
})

it('an image without smaller versions has itself as the size full', () => {
  const url = 'https://images.test/a.png'
  const alone = { ...image, url, mimeType: 'image/png', sizes: [] }
  const full = { width: 1200, height: 800, 'mime-type': 'image/png', url }
  expect(json(serializeImage(alone)).sizes).toStrictEqual({ full: { ...full, filesize: 12_345 } })
  expect(json(serializeImage({ ...alone, fileSize: null })).sizes).toStrictEqual({ full })
  expect(serializeImage({ ...alone, height: null })).not.toHaveProperty('sizes')
})

describe('the extension comes from the path, or else from the media type', () => {
  it.each([
    ['https://images.test/a.webp', 'image/jpeg', 'webp'],
    ['https://images.test/a.GIF', 'image/gif', 'gif'],
    ['https://images.test/show?file=a.png', 'image/jpeg', 'jpg'],
    ['https://images.test/', 'image/svg+xml', 'svg'],
    ['https://images.test/a', 'image/x-icon', 'icon'],
  ])('%s of type %s: %s', (url, mimeType, extension) => {
    expect(serializeImage({ ...image, url, mimeType }).extension).toBe(extension)
  })
})
