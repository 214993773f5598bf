BEGIN;

-- Words are found by their trigrams. Both extensions are trusted, so that the owner of a database may create them.
CREATE EXTENSION IF NOT EXISTS pg_trgm;
CREATE EXTENSION IF NOT EXISTS btree_gin;

-- An ID names one record of one kind: events, venues, organizers and images share one sequence, terms another.
CREATE SEQUENCE "post_id_seq" AS integer;
CREATE SEQUENCE "term_id_seq" AS integer;

-- CreateEnum
CREATE TYPE "role" AS ENUM ('administrator', 'editor', 'author', 'contributor', 'subscriber');

-- CreateEnum
CREATE TYPE "status" AS ENUM ('publish', 'future', 'draft', 'pending', 'private', 'trash');

-- CreateEnum
CREATE TYPE "credential_kind" AS ENUM ('application_password', 'api_token');

-- CreateTable
CREATE TABLE "site" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "password_salt" BYTEA NOT NULL,
    "languages" TEXT[] NOT NULL,
    "default_language" TEXT NOT NULL,
    "seeded_at" TIMESTAMPTZ(3),

    CONSTRAINT "site_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "user" (
    "id" SERIAL NOT NULL,
    "login" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "email" TEXT,
    "role" "role" NOT NULL,
    "oidc_subject" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "user_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "credential" (
    "id" SERIAL NOT NULL,
    "user_id" INTEGER NOT NULL,
    "kind" "credential_kind" NOT NULL,
    "name" TEXT NOT NULL,
    "hash" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_used_at" TIMESTAMPTZ(3),
    "expires_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "credential_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "image" (
    "id" INTEGER NOT NULL DEFAULT nextval('post_id_seq'::regclass),
    "url" TEXT NOT NULL,
    "source_url" TEXT,
    "mime_type" TEXT NOT NULL,
    "width" INTEGER,
    "height" INTEGER,
    "file_size" INTEGER,
    "sizes" JSONB NOT NULL DEFAULT '[]',
    "author_id" INTEGER,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "image_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "event" (
    "id" INTEGER NOT NULL DEFAULT nextval('post_id_seq'::regclass),
    "author_id" INTEGER,
    "status" "status" NOT NULL,
    "live" BOOLEAN GENERATED ALWAYS AS ("status" IN ('publish', 'future')) STORED,
    "trashed_from" "status",
    "published_at" TIMESTAMPTZ(3) NOT NULL,
    "modified_at" TIMESTAMPTZ(3) NOT NULL,
    "original_language" TEXT NOT NULL,
    "password_key" TEXT,
    "image_id" INTEGER,
    "parent_id" INTEGER,
    "starts_at" TIMESTAMPTZ(0) NOT NULL,
    "ends_at" TIMESTAMPTZ(0) NOT NULL,
    "starts_local" TIMESTAMP(0) NOT NULL,
    "ends_local" TIMESTAMP(0) NOT NULL,
    "time_zone" TEXT NOT NULL,
    "all_day" BOOLEAN NOT NULL DEFAULT false,
    "cost" TEXT[] NOT NULL DEFAULT ARRAY[]::TEXT[],
    "website" TEXT,
    "show_map" BOOLEAN NOT NULL DEFAULT false,
    "show_map_link" BOOLEAN NOT NULL DEFAULT false,
    "hide_from_listings" BOOLEAN NOT NULL DEFAULT false,
    "sticky" BOOLEAN NOT NULL DEFAULT false,
    "featured" BOOLEAN NOT NULL DEFAULT false,
    "custom_fields" JSONB NOT NULL DEFAULT '[]',

    CONSTRAINT "event_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "event_text" (
    "event_id" INTEGER NOT NULL,
    "language" TEXT NOT NULL,
    "name" TEXT COLLATE "und-x-icu" NOT NULL,
    "description" TEXT NOT NULL,
    "excerpt" TEXT NOT NULL,
    "slug" TEXT NOT NULL,
    "written" TEXT[] NOT NULL,
    "source" TEXT NOT NULL,
    "folded" TEXT NOT NULL,

    CONSTRAINT "event_text_pkey" PRIMARY KEY ("event_id","language")
);

-- CreateTable
CREATE TABLE "event_slug" (
    "slug" TEXT NOT NULL,
    "event_id" INTEGER NOT NULL,

    CONSTRAINT "event_slug_pkey" PRIMARY KEY ("slug")
);

-- CreateTable
CREATE TABLE "venue" (
    "id" INTEGER NOT NULL DEFAULT nextval('post_id_seq'::regclass),
    "author_id" INTEGER,
    "status" "status" NOT NULL,
    "live" BOOLEAN GENERATED ALWAYS AS ("status" IN ('publish', 'future')) STORED,
    "trashed_from" "status",
    "published_at" TIMESTAMPTZ(3) NOT NULL,
    "modified_at" TIMESTAMPTZ(3) NOT NULL,
    "original_language" TEXT NOT NULL,
    "password_key" TEXT,
    "image_id" INTEGER,
    "address" TEXT NOT NULL DEFAULT '',
    "city" TEXT NOT NULL DEFAULT '',
    "country" TEXT NOT NULL DEFAULT '',
    "province" TEXT NOT NULL DEFAULT '',
    "state" TEXT NOT NULL DEFAULT '',
    "state_province" TEXT NOT NULL DEFAULT '',
    "zip" TEXT NOT NULL DEFAULT '',
    "phone" TEXT NOT NULL DEFAULT '',
    "website" TEXT NOT NULL DEFAULT '',
    "show_map" BOOLEAN NOT NULL DEFAULT true,
    "show_map_link" BOOLEAN NOT NULL DEFAULT true,
    "latitude" DOUBLE PRECISION,
    "longitude" DOUBLE PRECISION,

    CONSTRAINT "venue_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "venue_text" (
    "venue_id" INTEGER NOT NULL,
    "language" TEXT NOT NULL,
    "name" TEXT COLLATE "und-x-icu" NOT NULL,
    "description" TEXT NOT NULL,
    "excerpt" TEXT NOT NULL,
    "slug" TEXT NOT NULL,
    "written" TEXT[] NOT NULL,
    "source" TEXT NOT NULL,
    "folded" TEXT NOT NULL,

    CONSTRAINT "venue_text_pkey" PRIMARY KEY ("venue_id","language")
);

-- CreateTable
CREATE TABLE "venue_slug" (
    "slug" TEXT NOT NULL,
    "venue_id" INTEGER NOT NULL,

    CONSTRAINT "venue_slug_pkey" PRIMARY KEY ("slug")
);

-- CreateTable
CREATE TABLE "organizer" (
    "id" INTEGER NOT NULL DEFAULT nextval('post_id_seq'::regclass),
    "author_id" INTEGER,
    "status" "status" NOT NULL,
    "live" BOOLEAN GENERATED ALWAYS AS ("status" IN ('publish', 'future')) STORED,
    "trashed_from" "status",
    "published_at" TIMESTAMPTZ(3) NOT NULL,
    "modified_at" TIMESTAMPTZ(3) NOT NULL,
    "original_language" TEXT NOT NULL,
    "password_key" TEXT,
    "image_id" INTEGER,
    "phone" TEXT NOT NULL DEFAULT '',
    "website" TEXT NOT NULL DEFAULT '',
    "email" TEXT NOT NULL DEFAULT '',

    CONSTRAINT "organizer_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "organizer_text" (
    "organizer_id" INTEGER NOT NULL,
    "language" TEXT NOT NULL,
    "name" TEXT COLLATE "und-x-icu" NOT NULL,
    "description" TEXT NOT NULL,
    "excerpt" TEXT NOT NULL,
    "slug" TEXT NOT NULL,
    "written" TEXT[] NOT NULL,
    "source" TEXT NOT NULL,
    "folded" TEXT NOT NULL,

    CONSTRAINT "organizer_text_pkey" PRIMARY KEY ("organizer_id","language")
);

-- CreateTable
CREATE TABLE "organizer_slug" (
    "slug" TEXT NOT NULL,
    "organizer_id" INTEGER NOT NULL,

    CONSTRAINT "organizer_slug_pkey" PRIMARY KEY ("slug")
);

-- CreateTable
CREATE TABLE "category" (
    "id" INTEGER NOT NULL DEFAULT nextval('term_id_seq'::regclass),
    "original_language" TEXT NOT NULL,
    "parent_id" INTEGER,

    CONSTRAINT "category_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "category_path" (
    "ancestor_id" INTEGER NOT NULL,
    "descendant_id" INTEGER NOT NULL,
    "depth" INTEGER NOT NULL,

    CONSTRAINT "category_path_pkey" PRIMARY KEY ("ancestor_id","descendant_id")
);

-- CreateTable
CREATE TABLE "category_text" (
    "category_id" INTEGER NOT NULL,
    "language" TEXT NOT NULL,
    "name" TEXT COLLATE "und-x-icu" NOT NULL,
    "description" TEXT NOT NULL,
    "slug" TEXT NOT NULL,
    "written" TEXT[] NOT NULL,
    "source" TEXT NOT NULL,
    "folded" TEXT NOT NULL,

    CONSTRAINT "category_text_pkey" PRIMARY KEY ("category_id","language")
);

-- CreateTable
CREATE TABLE "category_slug" (
    "slug" TEXT NOT NULL,
    "category_id" INTEGER NOT NULL,

    CONSTRAINT "category_slug_pkey" PRIMARY KEY ("slug")
);

-- CreateTable
CREATE TABLE "tag" (
    "id" INTEGER NOT NULL DEFAULT nextval('term_id_seq'::regclass),
    "original_language" TEXT NOT NULL,

    CONSTRAINT "tag_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "tag_text" (
    "tag_id" INTEGER NOT NULL,
    "language" TEXT NOT NULL,
    "name" TEXT COLLATE "und-x-icu" NOT NULL,
    "description" TEXT NOT NULL,
    "slug" TEXT NOT NULL,
    "written" TEXT[] NOT NULL,
    "source" TEXT NOT NULL,
    "folded" TEXT NOT NULL,

    CONSTRAINT "tag_text_pkey" PRIMARY KEY ("tag_id","language")
);

-- CreateTable
CREATE TABLE "tag_slug" (
    "slug" TEXT NOT NULL,
    "tag_id" INTEGER NOT NULL,

    CONSTRAINT "tag_slug_pkey" PRIMARY KEY ("slug")
);

-- CreateTable
CREATE TABLE "event_venue" (
    "event_id" INTEGER NOT NULL,
    "venue_id" INTEGER NOT NULL,
    "position" INTEGER NOT NULL,

    CONSTRAINT "event_venue_pkey" PRIMARY KEY ("event_id","venue_id")
);

-- CreateTable
CREATE TABLE "event_organizer" (
    "event_id" INTEGER NOT NULL,
    "organizer_id" INTEGER NOT NULL,
    "position" INTEGER NOT NULL,

    CONSTRAINT "event_organizer_pkey" PRIMARY KEY ("event_id","organizer_id")
);

-- CreateTable
CREATE TABLE "event_category" (
    "event_id" INTEGER NOT NULL,
    "category_id" INTEGER NOT NULL,

    CONSTRAINT "event_category_pkey" PRIMARY KEY ("event_id","category_id")
);

-- CreateTable
CREATE TABLE "event_tag" (
    "event_id" INTEGER NOT NULL,
    "tag_id" INTEGER NOT NULL,

    CONSTRAINT "event_tag_pkey" PRIMARY KEY ("event_id","tag_id")
);

-- CreateTable
CREATE TABLE "ticket" (
    "id" SERIAL NOT NULL,
    "event_id" INTEGER NOT NULL,
    "position" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "price" DECIMAL(12,2) NOT NULL,
    "currency" CHAR(3) NOT NULL,
    "capacity" INTEGER,
    "sales_start" TIMESTAMPTZ(0),
    "sales_end" TIMESTAMPTZ(0),

    CONSTRAINT "ticket_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "user_login_key" ON "user"("login");

-- CreateIndex
CREATE UNIQUE INDEX "user_oidc_subject_key" ON "user"("oidc_subject");

-- CreateIndex
CREATE UNIQUE INDEX "credential_hash_key" ON "credential"("hash");

-- CreateIndex
CREATE INDEX "credential_user_id_idx" ON "credential"("user_id");

-- CreateIndex
CREATE INDEX "image_url_idx" ON "image"("url");

-- CreateIndex
CREATE INDEX "image_source_url_idx" ON "image"("source_url");

-- CreateIndex
CREATE INDEX "image_author_id_idx" ON "image"("author_id");

-- CreateIndex
CREATE INDEX "event_live_starts_local_published_at_id_idx" ON "event"("live", "starts_local", "published_at", "id");

-- CreateIndex
CREATE INDEX "event_live_starts_at_published_at_id_idx" ON "event"("live", "starts_at", "published_at", "id");

-- CreateIndex
CREATE INDEX "event_live_ends_local_idx" ON "event"("live", "ends_local");

-- CreateIndex
CREATE INDEX "event_live_ends_at_idx" ON "event"("live", "ends_at");

-- CreateIndex
CREATE INDEX "event_live_published_at_id_idx" ON "event"("live", "published_at", "id");

-- CreateIndex
CREATE INDEX "event_author_id_idx" ON "event"("author_id");

-- CreateIndex
CREATE INDEX "event_image_id_idx" ON "event"("image_id");

-- CreateIndex
CREATE INDEX "event_parent_id_idx" ON "event"("parent_id");

-- CreateIndex
CREATE INDEX "event_text_language_name_event_id_idx" ON "event_text"("language", "name", "event_id");

-- CreateIndex
CREATE INDEX "event_slug_event_id_idx" ON "event_slug"("event_id");

-- CreateIndex
CREATE INDEX "venue_live_published_at_id_idx" ON "venue"("live", "published_at", "id");

-- CreateIndex
CREATE INDEX "venue_author_id_idx" ON "venue"("author_id");

-- CreateIndex
CREATE INDEX "venue_image_id_idx" ON "venue"("image_id");

-- CreateIndex
CREATE INDEX "venue_text_language_name_venue_id_idx" ON "venue_text"("language", "name", "venue_id");

-- CreateIndex
CREATE INDEX "venue_slug_venue_id_idx" ON "venue_slug"("venue_id");

-- CreateIndex
CREATE INDEX "organizer_live_published_at_id_idx" ON "organizer"("live", "published_at", "id");

-- CreateIndex
CREATE INDEX "organizer_author_id_idx" ON "organizer"("author_id");

-- CreateIndex
CREATE INDEX "organizer_image_id_idx" ON "organizer"("image_id");

-- CreateIndex
CREATE INDEX "organizer_text_language_name_organizer_id_idx" ON "organizer_text"("language", "name", "organizer_id");

-- CreateIndex
CREATE INDEX "organizer_slug_organizer_id_idx" ON "organizer_slug"("organizer_id");

-- CreateIndex
CREATE INDEX "category_parent_id_idx" ON "category"("parent_id");

-- CreateIndex
CREATE INDEX "category_path_descendant_id_idx" ON "category_path"("descendant_id");

-- CreateIndex
CREATE INDEX "category_text_language_name_category_id_idx" ON "category_text"("language", "name", "category_id");

-- CreateIndex
CREATE INDEX "category_slug_category_id_idx" ON "category_slug"("category_id");

-- CreateIndex
CREATE INDEX "tag_text_language_name_tag_id_idx" ON "tag_text"("language", "name", "tag_id");

-- CreateIndex
CREATE INDEX "tag_slug_tag_id_idx" ON "tag_slug"("tag_id");

-- CreateIndex
CREATE INDEX "event_venue_venue_id_event_id_idx" ON "event_venue"("venue_id", "event_id");

-- CreateIndex
CREATE INDEX "event_organizer_organizer_id_event_id_idx" ON "event_organizer"("organizer_id", "event_id");

-- CreateIndex
CREATE INDEX "event_category_category_id_event_id_idx" ON "event_category"("category_id", "event_id");

-- CreateIndex
CREATE INDEX "event_tag_tag_id_event_id_idx" ON "event_tag"("tag_id", "event_id");

-- CreateIndex
CREATE INDEX "ticket_event_id_idx" ON "ticket"("event_id");

-- AddForeignKey
ALTER TABLE "credential" ADD CONSTRAINT "credential_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "image" ADD CONSTRAINT "image_author_id_fkey" FOREIGN KEY ("author_id") REFERENCES "user"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "event" ADD CONSTRAINT "event_author_id_fkey" FOREIGN KEY ("author_id") REFERENCES "user"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "event" ADD CONSTRAINT "event_image_id_fkey" FOREIGN KEY ("image_id") REFERENCES "image"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "event" ADD CONSTRAINT "event_parent_id_fkey" FOREIGN KEY ("parent_id") REFERENCES "event"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "event_text" ADD CONSTRAINT "event_text_event_id_fkey" FOREIGN KEY ("event_id") REFERENCES "event"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "event_slug" ADD CONSTRAINT "event_slug_event_id_fkey" FOREIGN KEY ("event_id") REFERENCES "event"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "venue" ADD CONSTRAINT "venue_author_id_fkey" FOREIGN KEY ("author_id") REFERENCES "user"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "venue" ADD CONSTRAINT "venue_image_id_fkey" FOREIGN KEY ("image_id") REFERENCES "image"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "venue_text" ADD CONSTRAINT "venue_text_venue_id_fkey" FOREIGN KEY ("venue_id") REFERENCES "venue"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "venue_slug" ADD CONSTRAINT "venue_slug_venue_id_fkey" FOREIGN KEY ("venue_id") REFERENCES "venue"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "organizer" ADD CONSTRAINT "organizer_author_id_fkey" FOREIGN KEY ("author_id") REFERENCES "user"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "organizer" ADD CONSTRAINT "organizer_image_id_fkey" FOREIGN KEY ("image_id") REFERENCES "image"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "organizer_text" ADD CONSTRAINT "organizer_text_organizer_id_fkey" FOREIGN KEY ("organizer_id") REFERENCES "organizer"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "organizer_slug" ADD CONSTRAINT "organizer_slug_organizer_id_fkey" FOREIGN KEY ("organizer_id") REFERENCES "organizer"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "category" ADD CONSTRAINT "category_parent_id_fkey" FOREIGN KEY ("parent_id") REFERENCES "category"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "category_path" ADD CONSTRAINT "category_path_ancestor_id_fkey" FOREIGN KEY ("ancestor_id") REFERENCES "category"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "category_path" ADD CONSTRAINT "category_path_descendant_id_fkey" FOREIGN KEY ("descendant_id") REFERENCES "category"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "category_text" ADD CONSTRAINT "category_text_category_id_fkey" FOREIGN KEY ("category_id") REFERENCES "category"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "category_slug" ADD CONSTRAINT "category_slug_category_id_fkey" FOREIGN KEY ("category_id") REFERENCES "category"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "tag_text" ADD CONSTRAINT "tag_text_tag_id_fkey" FOREIGN KEY ("tag_id") REFERENCES "tag"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "tag_slug" ADD CONSTRAINT "tag_slug_tag_id_fkey" FOREIGN KEY ("tag_id") REFERENCES "tag"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "event_venue" ADD CONSTRAINT "event_venue_event_id_fkey" FOREIGN KEY ("event_id") REFERENCES "event"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "event_venue" ADD CONSTRAINT "event_venue_venue_id_fkey" FOREIGN KEY ("venue_id") REFERENCES "venue"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "event_organizer" ADD CONSTRAINT "event_organizer_event_id_fkey" FOREIGN KEY ("event_id") REFERENCES "event"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "event_organizer" ADD CONSTRAINT "event_organizer_organizer_id_fkey" FOREIGN KEY ("organizer_id") REFERENCES "organizer"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "event_category" ADD CONSTRAINT "event_category_event_id_fkey" FOREIGN KEY ("event_id") REFERENCES "event"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "event_category" ADD CONSTRAINT "event_category_category_id_fkey" FOREIGN KEY ("category_id") REFERENCES "category"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "event_tag" ADD CONSTRAINT "event_tag_event_id_fkey" FOREIGN KEY ("event_id") REFERENCES "event"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "event_tag" ADD CONSTRAINT "event_tag_tag_id_fkey" FOREIGN KEY ("tag_id") REFERENCES "tag"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ticket" ADD CONSTRAINT "ticket_event_id_fkey" FOREIGN KEY ("event_id") REFERENCES "event"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Search: a substring of the folded text, within a language.
CREATE INDEX "event_text_search_idx" ON "event_text" USING gin ("language", "folded" gin_trgm_ops);
CREATE INDEX "venue_text_search_idx" ON "venue_text" USING gin ("language", "folded" gin_trgm_ops);
CREATE INDEX "organizer_text_search_idx" ON "organizer_text" USING gin ("language", "folded" gin_trgm_ops);
CREATE INDEX "category_text_search_idx" ON "category_text" USING gin ("language", "folded" gin_trgm_ops);
CREATE INDEX "tag_text_search_idx" ON "tag_text" USING gin ("language", "folded" gin_trgm_ops);

ALTER TABLE "site" ADD CONSTRAINT "site_single_row" CHECK ("id" = 1);
ALTER TABLE "event" ADD CONSTRAINT "event_ends_after_start" CHECK ("ends_local" >= "starts_local");
ALTER TABLE "event" ADD CONSTRAINT "event_not_its_own_parent" CHECK ("parent_id" <> "id");
ALTER TABLE "venue" ADD CONSTRAINT "venue_latitude" CHECK ("latitude" BETWEEN -90 AND 90);
ALTER TABLE "venue" ADD CONSTRAINT "venue_longitude" CHECK ("longitude" BETWEEN -180 AND 180);
ALTER TABLE "venue" ADD CONSTRAINT "venue_coordinates" CHECK (("latitude" IS NULL) = ("longitude" IS NULL));

COMMIT;
