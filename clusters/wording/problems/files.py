"""Words for what can be wrong with a file or an archive."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from clusters.problems.inputs import (
    ByteNotUtf8,
    DamagedArchive,
    DamagedGzip,
    DecompressionBomb,
    DeviceInArchive,
    EmptyFile,
    EmptyLog,
    EncryptedMember,
    FileForm,
    ForeignCompression,
    GzipEndsEarly,
    GzipTwice,
    LargeArchiveHeader,
    LargeFile,
    LargeOnceDecompressed,
    LeadsOutOfArchive,
    LinkInArchive,
    ManyFiles,
    NoLineOfScheduler,
    NotADump,
    NotAPlainFile,
    NotASchedulerLog,
    NotUtf16,
    OtherForm,
    OverlappingMember,
    UnreadableFile,
    UnusualCompression,
)
from clusters.wording.amounts import grouped, size
from clusters.wording.problems.registry import Words, words

_FORMS: Final = {
    FileForm.IMAGE: gettext_lazy("It is an image, not JSON or YAML."),
    FileForm.PDF: gettext_lazy("It is a PDF document, not JSON or YAML."),
    FileForm.PROGRAM: gettext_lazy("It is a program, not JSON or YAML."),
    FileForm.DATABASE: gettext_lazy("It is an SQLite database, not JSON or YAML."),
    FileForm.HTML: gettext_lazy("It is an HTML page, not JSON or YAML."),
    FileForm.XML: gettext_lazy("It is XML, not JSON or YAML."),
    FileForm.KUBECTL_TABLE: gettext_lazy("It is a table of kubectl get, not JSON or YAML."),
    FileForm.KUBECTL_DESCRIBE: gettext_lazy("It is the output of kubectl describe, not JSON or YAML."),
    FileForm.KUBECTL_MESSAGE: gettext_lazy("It is an error message of kubectl, not JSON or YAML."),
    FileForm.LOG: gettext_lazy("It is the log of a component of Kubernetes, not JSON or YAML."),
    FileForm.BINARY: gettext_lazy("It is a binary file, not JSON or YAML."),
}


@words.register(UnreadableFile)
def unreadable_file(problem: UnreadableFile) -> Words:
    """Say why a file cannot be read."""
    said = _("It cannot be read: %(reason)s.") % {"reason": problem.reason}
    return Words(said, _("Check the path and its permissions."))


@words.register(LargeFile)
def large_file(problem: LargeFile) -> Words:
    """Say how large a file is and may be."""
    said = _("It has %(found)s, more than the %(most)s that are taken.") % {
        "found": size(problem.found_bytes),
        "most": size(problem.most_bytes),
    }
    return Words(said, _("Dump fewer kinds or namespaces, compress it with gzip, or raise BERTH_UPLOAD_LIMIT_MIB."))


@words.register(ManyFiles)
def many_files(problem: ManyFiles) -> Words:
    """Say how many files there may be."""
    said = _("It holds more than %(most)s files.") % {"most": grouped(problem.most)}
    return Words(said, _("Leave logs and other files out of it, or raise BERTH_FILES_LIMIT."))


@words.register(LargeOnceDecompressed)
def large_once_decompressed(problem: LargeOnceDecompressed) -> Words:
    """Say how much may come out of it."""
    said = _("It holds more than %(most)s once decompressed.") % {"most": size(problem.most_bytes)}
    return Words(said, _("Dump fewer kinds or namespaces, or raise BERTH_DECOMPRESSED_LIMIT_MIB."))


@words.register(DecompressionBomb)
def decompression_bomb(problem: DecompressionBomb) -> Words:
    """Say how much more comes out of it than it has."""
    said = _("Its content is over %(times)s times its compressed size, as in a decompression bomb.") % {
        "times": grouped(problem.times)
    }
    return Words(said, _("Send it uncompressed if it is genuine, or raise BERTH_INFLATION_LIMIT."))


@words.register(LargeArchiveHeader)
def large_archive_header(problem: LargeArchiveHeader) -> Words:
    """Say what a header claims."""
    said = _("A header in the archive claims %(claimed)s bytes.") % {"claimed": grouped(problem.claimed)}
    return Words(said, _("Make the archive again."))


@words.register(LinkInArchive)
def link_in_archive(problem: LinkInArchive) -> Words:
    """Name the link."""
    said = _("%(found)s is a link.") % {"found": problem.found}
    return Words(said, _("Pack plain files only; with tar, --dereference stores what links lead to."))


@words.register(DeviceInArchive)
def device_in_archive(problem: DeviceInArchive) -> Words:
    """Name the device."""
    said = _("%(found)s is a device or a pipe.") % {"found": problem.found}
    return Words(said, _("Pack plain files only."))


@words.register(NotAPlainFile)
def not_a_plain_file(problem: NotAPlainFile) -> Words:
    """Name what is no file."""
    said = _("%(found)s is not a plain file.") % {"found": problem.found}
    return Words(said, _("Pack plain files only."))


@words.register(DamagedArchive)
def damaged_archive(problem: DamagedArchive) -> Words:
    """Say how an archive is damaged."""
    said = _("The archive is damaged: %(reason)s.") % {"reason": problem.reason}
    return Words(said, _("Make or send it again."))


@words.register(EncryptedMember)
def encrypted_member(problem: EncryptedMember) -> Words:
    """Name what is encrypted."""
    said = _("%(found)s is encrypted.") % {"found": problem.found}
    return Words(said, _("Make the archive without a password."))


@words.register(UnusualCompression)
def unusual_compression(problem: UnusualCompression) -> Words:
    """Name what is compressed in another way."""
    said = _("%(found)s is compressed in an unusual way.") % {"found": problem.found}
    return Words(said, _("Make it with the usual deflate."))


@words.register(OverlappingMember)
def overlapping_member(problem: OverlappingMember) -> Words:
    """Name what overlaps."""
    said = _("%(found)s overlaps another entry of the archive, as in a decompression bomb.") % {"found": problem.found}
    return Words(said, _("Make the archive again, from plain files."))


@words.register(LeadsOutOfArchive)
def leads_out_of_archive(problem: LeadsOutOfArchive) -> Words:
    """Name what leads out of the archive."""
    said = _("%(found)s leads out of the archive.") % {"found": problem.found}
    return Words(said, _("Pack files by relative names, without '..'."))


@words.register(DamagedGzip)
def damaged_gzip(problem: DamagedGzip) -> Words:
    """Say how a stream is damaged."""
    said = _("The gzip stream is damaged: %(reason)s.") % {"reason": problem.reason}
    return Words(said, _("Compress it again."))


@words.register(GzipEndsEarly)
def gzip_ends_early(problem: GzipEndsEarly) -> Words:
    """Say that a stream lacks its end."""
    said = _("The gzip stream ends too early.")
    return Words(said, _("The file was cut off: take or send it again."))


@words.register(GzipTwice)
def gzip_twice(problem: GzipTwice) -> Words:
    """Say that it is compressed twice."""
    said = _("The file is compressed with gzip twice.")
    return Words(said, _("Decompress it once."))


@words.register(ForeignCompression)
def foreign_compression(problem: ForeignCompression) -> Words:
    """Name the format."""
    said = _("The file is compressed with %(format_name)s.") % {"format_name": problem.format_name}
    return Words(said, _("Decompress it, or compress it with gzip."))


@words.register(ByteNotUtf8)
def byte_not_utf8(problem: ByteNotUtf8) -> Words:
    """Say which byte is wrong."""
    said = _("Byte %(byte)s is not UTF-8.") % {"byte": grouped(problem.byte)}
    return Words(said, _("Write the file in UTF-8; kubectl does so by itself."))


@words.register(NotUtf16)
def not_utf16(problem: NotUtf16) -> Words:
    """Say that the encoding changes."""
    said = _("The file begins as UTF-16 and goes on as something else.")
    return Words(said, _("Write it in UTF-8."))


@words.register(EmptyFile)
def empty_file(problem: EmptyFile) -> Words:
    """Say that a file is empty."""
    said = _("The file is empty.")
    return Words(said, _("Take the dump again, with kubectl get -o json."))


@words.register(OtherForm)
def other_form(problem: OtherForm) -> Words:
    """Say what a file is."""
    if problem.form in (FileForm.KUBECTL_TABLE, FileForm.KUBECTL_DESCRIBE):
        remedy = _("Run kubectl get with -o json, and send what that prints.")
    elif problem.form is FileForm.KUBECTL_MESSAGE:
        remedy = _("Run the command again once that is solved.")
    elif problem.form is FileForm.LOG:
        remedy = _("Send a dump of the cluster; kube-scheduler's log can be added to one: manage.py ingest LOG.")
    else:
        remedy = _("Send what kubectl get -o json or -o yaml writes, or an archive of it.")
    return Words(str(_FORMS[problem.form]), remedy)


@words.register(NotADump)
def not_a_dump(problem: NotADump) -> Words:
    """Say that a document is no object."""
    said = _("%(found)s is not a Kubernetes object.") % {"found": problem.found}
    return Words(said, _("Send what kubectl get -o json or -o yaml writes, or an archive of it."))


@words.register(NotASchedulerLog)
def not_a_scheduler_log(problem: NotASchedulerLog) -> Words:
    """Quote the first line."""
    said = _("None of its lines (%(lines)s) is a scheduler's; line 1 is %(first)s.") % {
        "lines": grouped(problem.lines),
        "first": problem.first,
    }
    return Words(
        said, _("Send what kubectl logs prints for a kube-scheduler that runs with -v=2 or more, as text or in JSON.")
    )


@words.register(NoLineOfScheduler)
def no_line_of_scheduler(problem: NoLineOfScheduler) -> Words:
    """Say that it is another log."""
    said = _("None of its lines (%(lines)s) is one that kube-scheduler writes about a pod.") % {
        "lines": grouped(problem.lines)
    }
    return Words(
        said,
        _(
            "It is the log of another component, or one below -v=2. Send what kubectl logs "
            "prints for a kube-scheduler that runs with -v=2 or more, as text or in JSON."
        ),
    )


@words.register(EmptyLog)
def empty_log(problem: EmptyLog) -> Words:
    """Say that a log is empty."""
    said = _("The file is empty.")
    return Words(
        said, _("Send what kubectl logs prints for a kube-scheduler that runs with -v=2 or more, as text or in JSON.")
    )
